"use client";

import { useActionState } from "react";

export function Form({ action, children }) {
  const [error, act] = useActionState(action, "");
  return (
    <form action={act}>
      {children}
      <p>{error}</p>
    </form>
  );
}
