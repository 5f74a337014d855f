package notes;

import jakarta.validation.Valid;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

@SpringBootApplication
@Controller
public class Application {
    private final Notes notes;

    Application(Notes notes) {
        this.notes = notes;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @GetMapping("/")
    String list(Model model) {
        model.addAttribute("notes", notes.findTop10ByOrderByIdDesc());
        return "list";
    }

    @GetMapping("/notes/new")
    String form(@ModelAttribute("note") Note note) {
        return "form";
    }

    @PostMapping("/notes/new")
    String create(@Valid @ModelAttribute("note") Note note, BindingResult result) {
        return result.hasErrors() ? "form" : "redirect:/notes/" + notes.save(note).getId();
    }

    @GetMapping("/notes/{id}")
    String show(@PathVariable long id, Model model) {
        model.addAttribute("note", notes.findById(id).orElseThrow());
        return "note";
    }
}
