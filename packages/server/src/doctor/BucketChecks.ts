import type { Inspection } from "@quartermaster/storage-postgres";
import { Effect } from "effect";
import * as Postgres from "../config/Postgres.ts";
import { type S3, uriOf } from "../config/S3Settings.ts";
import type { Finding } from "./Finding.ts";

/** The permission that each step needs, and a command that does the same. */
const steps = {
  open: {
    needs: "the package @aws-sdk/client-s3 and a region",
    fix: () => "npm install --global @aws-sdk/client-s3 && export AWS_REGION=REGION",
  },
  write: {
    needs: "s3:PutObject",
    fix: (uri: string) => `echo probe | aws s3 cp - ${uri}/probe`,
  },
  read: { needs: "s3:GetObject", fix: (uri: string) => `aws s3 cp ${uri}/probe -` },
  delete: { needs: "s3:DeleteObject", fix: (uri: string) => `aws s3 rm ${uri}/probe` },
} as const satisfies Record<Inspection.BucketFailure["step"], object>;

/** Writes, reads and deletes an object of the bucket. */
export const examine = Effect.fnUntraced(function* (s3: S3) {
  const { Inspection } = yield* Postgres.load;
  const uri = uriOf(s3);
  const endpoint = s3.endpoint === undefined ? "" : ` --endpoint-url ${s3.endpoint}`;
  const failures = yield* Inspection.inspectBucket(s3);
  return failures.map(({ reason, step }): Finding => ({
    check: "attachments",
    severity: "error",
    message: `The bucket ${uri} cannot be used (${step}, which needs ${steps[step].needs}): ${reason}.`,
    fix: steps[step].fix(uri).replace("aws s3", `aws${endpoint} s3`),
  }));
});
