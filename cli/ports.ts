// The ports that are wanted, asked for before anything is started on them.
import { requireFreePort } from '../tools/temporal/ports.js';

export interface WantedPort {
  /** What listens there. */
  purpose: string;
  port: number;
  /** Which variable moves it. */
  variable: string;
}

/** Throws one line for each port that is taken, or wanted twice, with what to do about it. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const [index, { purpose, port, variable }] of wanted.entries()) {
    const remedy = `stop what uses it, or set ${variable} to another port`;
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    if (twin !== undefined)
      problems.push(`Port ${port} is wanted for ${twin.purpose} and for ${purpose}; set ${variable} to another port`); // prettier-ignore
    else {
      await requireFreePort(port, purpose).catch((error: unknown) => {
        problems.push(`${error instanceof Error ? error.message : String(error)}; ${remedy}`);
      });
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
