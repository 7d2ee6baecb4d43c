import { Question, QuestionStore, Timestamp } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Graph from "./Graph.ts";
import * as Rows from "./Rows.ts";

const statusAt = (row: Question.QuestionRow, now: string): Question.QuestionStatus =>
  Question.isDue(row, now) ? "expired" : row.status;

export const layer = Layer.effect(
  QuestionStore.QuestionStore,
  Effect.map(Database, (database) =>
    QuestionStore.QuestionStore.of({
      insert: (question) =>
        database.write(({ questions }, locks) => {
          locks?.issue(question.issueId);
          const row = { ...question, seq: database.nextSeq() };
          questions.set(row.id, row);
          return row;
        }),
      update: (rows) =>
        database.write(({ questions }, locks) => {
          for (const row of rows) {
            locks?.rowOf(row.issueId, "question");
            if (questions.get(row.id) !== undefined) {
              questions.set(row.id, row);
            }
          }
        }),
      get: (questionId) =>
        database.read(({ questions }) => Option.fromNullishOr(questions.get(questionId))),
      open: (issueId) => database.read((tables) => Graph.openQuestions(tables, issueId)),
      due: (now, limit) =>
        database.read(({ questions }) =>
          Array.from(questions.values())
            .filter((row) => Question.isDue(row, now))
            .toSorted(
              (a, b) => (a.expiresAt ?? "").localeCompare(b.expiresAt ?? "") || a.seq - b.seq,
            )
            .slice(0, limit),
        ),
      correctExpiries: (now) =>
        database.write(({ questions }) => {
          const late = Array.from(questions.values()).filter(
            ({ createdAt, expiresAt, status }) =>
              status === "open" && expiresAt !== null && createdAt > Timestamp.addSeconds(now, 60),
          );
          for (const row of late) {
            const seconds = Timestamp.secondsBetween(row.createdAt, row.expiresAt ?? row.createdAt);
            const expiresAt = Timestamp.addSeconds(now, seconds);
            questions.set(row.id, { ...row, createdAt: now, expiresAt });
          }
          return late.length;
        }),
      list: ({ issueId, now, status }, slice) =>
        database.read(({ questions }) =>
          Rows.slice(
            questions.values(),
            slice,
            (row) =>
              row.issueId === issueId && (status === undefined || statusAt(row, now) === status),
          ),
        ),
      countOpen: (projects, now) => {
        const visible = Rows.among(projects);
        return database.read(
          ({ questions }) =>
            Array.from(questions.values()).filter(
              (row) => visible(row.projectId) && statusAt(row, now) === "open",
            ).length,
        );
      },
    }),
  ),
);
