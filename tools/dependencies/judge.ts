// Judges what `npm audit --json` printed. Advisories that do not affect us are in accepted.json, with a reason.
import { z } from 'zod';

/** The report of npm 7 and newer. An entry of `via` that is a text names another package of the report. */
const Report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(
        z.union([
          z.string(),
          z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() }),
        ]),
      ),
    }),
  ),
});

export const Accepted = z.array(
  z.strictObject({
    /** As in the address of the advisory, for example GHSA-xxxx-xxxx-xxxx. */
    id: z.string().regex(/^GHSA(-\w{4}){3}$/, 'expected an id such as GHSA-1234-abcd-5678'),
    package: z.string().min(1),
    reason: z.string().min(20, 'expected a sentence that says why it does not affect us'),
  }),
);

export type Verdict =
  { kind: 'unknown'; why: string } | { kind: 'known'; refused: readonly string[]; unused: readonly string[] };

/** `unknown` if npm could not reach its data. `unused` are accepted advisories that no package has any more. */
export function judgeAudit(printed: string, accepted: z.output<typeof Accepted>): Verdict {
  const report = Report.safeParse(parsed(printed));
  if (!report.success) return { kind: 'unknown', why: whyIn(printed) };
  const found = new Map<string, string>();
  for (const { via } of Object.values(report.data.vulnerabilities))
    for (const one of via)
      if (typeof one !== 'string')
        found.set(idOf(one.url), `${one.severity}: ${one.name}, ${one.title}, ${one.url}`);
  const ids = new Set(accepted.map(({ id }) => id));
  return {
    kind: 'known',
    refused: [...found].filter(([id]) => !ids.has(id)).map(([, line]) => line),
    unused: [...ids].filter((id) => !found.has(id)),
  };
}

const idOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // npm printed no report, which the schema refuses.
  }
}

const Failure = z
  .object({ message: z.string() })
  .or(
    z
      .object({ error: z.object({ summary: z.string() }) })
      .transform(({ error }) => ({ message: error.summary })),
  );

function whyIn(printed: string): string {
  const failure = Failure.safeParse(parsed(printed));
  return failure.success ? failure.data.message : 'npm audit printed no report';
}
