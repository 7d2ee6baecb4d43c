import { Command } from "../parts/Command.tsx";
import icon from "./icon.svg";
import { SignInForm } from "./SignInForm.tsx";
import styles from "./SignIn.module.css";

export const SignInPage = () => (
  <main className={styles["page"]}>
    <div className={styles["card"]}>
      <h1 className={styles["brand"]}>
        <img src={icon} alt="" width={28} height={28} />
        Quartermaster
      </h1>
      <SignInForm />
      <div className={styles["help"]}>
        <p>
          A server that starts on a terminal prints a sign-in link. The first Owner key is in its
          data directory:
        </p>
        <div>
          <Command line="cat .quartermaster/owner-key" />
        </div>
      </div>
    </div>
  </main>
);
