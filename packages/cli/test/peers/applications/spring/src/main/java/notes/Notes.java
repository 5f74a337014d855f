package notes;

import java.util.List;

import org.springframework.data.jpa.repository.JpaRepository;

interface Notes extends JpaRepository<Note, Long> {
    List<Note> findTop10ByOrderByIdDesc();
}
