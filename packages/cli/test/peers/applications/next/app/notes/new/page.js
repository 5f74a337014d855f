import { addNoteByForm } from "../../actions.js";
import { Form } from "../../form.js";
import { requireSession } from "../../session.js";

export default async function NewNote() {
  await requireSession();
  return (
    <Form action={addNoteByForm}>
      <label>
        Title <input name="title" />
      </label>
      <button>Save</button>
    </Form>
  );
}
