import { type FormEvent, useState } from "react";
import { useData } from "../data/live/data.ts";
import { Button } from "../parts/Button.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Field } from "../parts/Field.tsx";
import styles from "./SignIn.module.css";

/** The form for an API key. The page never stores the key: the session is a cookie that scripts cannot read. */
export const SignInForm = () => {
  const { signIn } = useData().account;
  const [apiKey, setApiKey] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await signIn({ apiKey: apiKey.trim() });
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <form className={styles["form"]} onSubmit={(event) => void submit(event)}>
      <Field
        label="API key"
        type="password"
        autoComplete="current-password"
        spellCheck={false}
        required
        autoFocus
        placeholder="qm_…"
        value={apiKey}
        onValueChange={setApiKey}
      />
      <ErrorNote error={error} />
      <Button type="submit" variant="primary" disabled={isBusy || apiKey.trim() === ""}>
        {isBusy ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
};
