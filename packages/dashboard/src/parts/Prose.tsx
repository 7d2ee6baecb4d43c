import styles from "./Prose.module.css";

/** Text from the server, with parts between backticks rendered as code. */
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
