import { readMultipart } from "../fields.ts";
import { privateHtml, type Reply, seeOther, text } from "../reply.ts";
import { type DemoRequest, get, post, type Route } from "../route.ts";
import type { Sessions } from "../sessions.ts";
import { hiddenFields, foreignForm } from "./form.ts";
import { layout } from "./layout.ts";
import { logInFirst } from "./login.ts";

const path = "/account/photo";

/** Returns the routes of a form that uploads a file, which the site checks but does not store. */
export function photoRoutes(sessions: Sessions): readonly Route[] {
  return [
    get(
      path,
      "The form for a picture of yourself, for who has logged in, with a hidden csrf",
      ({ headers }) => {
        const session = sessions.readUser(headers);
        return session ? renderForm(sessions.csrfToken(session, "photo")) : logInFirst(path);
      },
    ),
    post(
      path,
      "The form as multipart/form-data: csrf, photo (an image); leads to /account (303), or 403, 422",
      (request) => upload(sessions, request),
    ),
  ];
}

async function upload(sessions: Sessions, request: DemoRequest): Promise<Reply> {
  const session = sessions.readUser(request.headers);
  if (!session) return logInFirst(path);
  const form = await readMultipart(request);
  if (!form) return text("Send multipart/form-data.\n", 415);
  if (!sessions.isCsrfToken(session, "photo", form.fields.get("csrf"))) return foreignForm;
  const photo = form.files.get("photo");
  const isImage = photo !== undefined && photo.type.startsWith("image/") && photo.bytes > 0;
  return isImage ? seeOther("/account") : text("The photo is not an image.\n", 422);
}

function renderForm(csrf: string): Reply {
  const main = `    <h1>Your picture</h1>
    <form method="post" action="${path}" enctype="multipart/form-data">
      ${hiddenFields({ csrf })}
      <label>Picture <input name="photo" type="file" accept="image/*" required></label> <button>Send</button>
    </form>`;
  return privateHtml(layout("Your picture", main));
}
