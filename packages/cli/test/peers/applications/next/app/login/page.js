import { logInByForm } from "../actions.js";
import { Form } from "../form.js";

export default function Login() {
  return (
    <Form action={logInByForm}>
      <label>
        User <input name="user" />
      </label>
      <label>
        Password <input name="password" type="password" />
      </label>
      <button>Log in</button>
    </Form>
  );
}
