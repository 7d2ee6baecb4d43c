import { Command } from "../parts/Command.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import icon from "./icon.svg";
import { SignInForm } from "./SignInForm.tsx";
import styles from "./SignIn.module.css";

/** `refused` is the reason why a link did not sign in; null without one. */
export const SignInPage = ({ refused }: { readonly refused: unknown }) => (
  <main className={styles["page"]}>
    <div className={styles["card"]}>
      <h1 className={styles["brand"]}>
        <img src={icon} alt="" width={28} height={28} />
        Quartermaster
      </h1>
      <ErrorNote error={refused} />
      <SignInForm />
      <div className={styles["help"]}>
        <p>
          For a sign-in link, run this where you logged in as an Admin, or in the directory where
          the server was started:
        </p>
        <div>
          <Command line="npx quartermaster open" />
        </div>
      </div>
    </div>
  </main>
);
