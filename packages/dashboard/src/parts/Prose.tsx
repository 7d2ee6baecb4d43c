import styles from "./Prose.module.css";

/** A sentence of the server, in which code stands between backticks. */
export const Prose = ({ text }: { readonly text: string }) => {
  const [, before, code, after] = /^([^`]*)`([^`]+)`(.*)$/s.exec(text) ?? [];
  if (code === undefined) return text;
  return (
    <>
      {before}
      <code className={styles["code"]}>{code}</code>
      <Prose text={after ?? ""} />
    </>
  );
};
