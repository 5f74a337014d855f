import { join } from "node:path";

import type { Application, Place } from "./application.ts";
import { countRows } from "./count-rows.ts";

const databaseOf = ({ data }: Place): string => join(data, "notes.sqlite3");

export const django: Application = {
  name: "django",
  tools: ["python3", "pip3"],
  build: () => [
    [
      "python3",
      "-m",
      "pip",
      "install",
      "--quiet",
      "--target",
      "packages",
      "--requirement",
      "requirements.txt",
    ],
  ],
  environment: (place) => ({
    DATABASE: databaseOf(place),
    DJANGO_SETTINGS_MODULE: "notes.settings",
    DJANGO_SUPERUSER_USERNAME: "ann",
    DJANGO_SUPERUSER_PASSWORD: "sesame-1961",
    DJANGO_SUPERUSER_EMAIL: "ann@shop.example",
    PYTHONPATH: join(place.built, "packages"),
    URL: place.url,
  }),
  prepare: () => [
    ["python3", "-m", "django", "migrate"],
    ["python3", "-m", "django", "createsuperuser", "--noinput"],
  ],
  serve: ({ port, certificate }) => [
    "python3",
    "-m",
    "gunicorn",
    "--bind",
    `127.0.0.1:${port}`,
    "--threads",
    "4",
    "--timeout",
    "300",
    "--keep-alive",
    "75",
    "--no-control-socket",
    ...(certificate === undefined
      ? []
      : ["--certfile", join(certificate, "cert.pem"), "--keyfile", join(certificate, "key.pem")]),
    "notes.wsgi",
  ],
  countNotes: (place) => countRows(databaseOf(place), "notes_note"),
};
