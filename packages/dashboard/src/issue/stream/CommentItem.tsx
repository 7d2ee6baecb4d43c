import type { Comment } from "../../data/issues/stream.ts";
import { Icon } from "../../parts/Icon.tsx";
import { Markdown } from "../../parts/Markdown.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { PersonAvatar } from "../common/PersonAvatar.tsx";
import { Who } from "../common/Who.tsx";
import styles from "./Stream.module.css";

export const CommentItem = ({ comment }: { readonly comment: Comment }) => (
  <li className={styles["comment"]}>
    <div className={styles["by"]}>
      {comment.authorType === "User" ? (
        <PersonAvatar id={comment.authorId} />
      ) : (
        <span className={styles["agentIcon"]}>
          <Icon name={comment.authorType === "Agent" ? "agents" : "server"} size={14} />
        </span>
      )}
      <span className={styles["who"]}>
        <Who id={comment.authorId} />
      </span>
      <RelativeTime iso={comment.createdAt} />
    </div>
    <div className={styles["content"]} dir="auto">
      <Markdown text={comment.content} />
    </div>
  </li>
);
