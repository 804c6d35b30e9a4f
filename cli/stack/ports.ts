// Checks the ports of `npm start` before anything starts.
import { requireFreePort } from '../../temporal-server/start.js';
import type { StartConfig } from '../config.js';

export interface WantedPort {
  purpose: string;
  port: number;
  /** The variable that changes the port. */
  variable: string;
}

export function wantedPorts(config: StartConfig): WantedPort[] {
  const { TEMPORAL_ADDRESS, TEMPORAL_PORT, TEMPORAL_UI_PORT, PAYMENTS_API_URL, SANDBOX_PORT } = config;
  const records = { purpose: 'PostgreSQL', port: config.RECORDS_PORT, variable: 'RECORDS_PORT' };
  const temporal = [
    { purpose: 'Temporal', port: TEMPORAL_PORT, variable: 'TEMPORAL_PORT' },
    { purpose: "Temporal's UI", port: TEMPORAL_UI_PORT, variable: 'TEMPORAL_UI_PORT' },
  ];
  const sandbox = { purpose: 'the sandbox', port: SANDBOX_PORT, variable: 'SANDBOX_PORT' };
  const metrics = { purpose: "the worker's metrics", port: config.METRICS_PORT, variable: 'METRICS_PORT' };
  return [
    ...(config.RECORDS_URL === undefined ? [records] : []),
    ...(TEMPORAL_ADDRESS === undefined ? temporal : []),
    ...(PAYMENTS_API_URL === undefined ? [sandbox] : []),
    ...(config.METRICS_PORT === 0 ? [] : [metrics]),
    { purpose: 'the API', port: config.API_PORT, variable: 'API_PORT' },
    { purpose: "the API's admin port", port: config.ADMIN_PORT, variable: 'ADMIN_PORT' },
  ];
}

/** Throws one line, with a remedy, for each port that is in use or assigned twice. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  const problems: string[] = [];
  for (const [index, { purpose, port, variable }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.port === port);
    const remedy = `set ${variable} to another port`;
    if (twin !== undefined) {
      problems.push(`Port ${port} is assigned to both ${twin.purpose} and ${purpose}; ${remedy}`);
      continue;
    }
    await requireFreePort(port, purpose).catch((error: unknown) => {
      const met = error instanceof Error ? error.message : String(error);
      problems.push(`${met}; stop the process that uses it, or ${remedy}`);
    });
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
