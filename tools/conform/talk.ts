// Exercises our client and the sandbox, and returns the recorded exchanges.
import { breakRequests } from './broken.js';
import { SIMULATIONS } from './simulations.js';
import { STEPS } from './steps-core.js';
import { startWorld } from './world.js';
import type { Contract } from './contract.js';
import type { Mismatch } from './verdict.js';
import type { Talk } from './report.js';

/** Starts a sandbox and a receiver on free ports, runs all steps, and stops both. A failed step is a mismatch; the others continue. */
export async function talk(contract: Contract): Promise<Talk> {
  const world = await startWorld();
  const failures: Mismatch[] = [];
  const steps = { ...STEPS, ...SIMULATIONS, breakRequests: async () => breakRequests(world, contract) };
  try {
    for (const [name, step] of Object.entries(steps)) {
      await step(world).catch((error: unknown) => {
        const all: unknown[] = error instanceof AggregateError ? error.errors : [error];
        for (const one of all) {
          const met = one instanceof Error ? one.message : String(one);
          failures.push({ file: '-', operation: name, where: 'step', expected: 'to succeed', met });
        }
      });
    }
    await world.control.flushWebhooks();
    return { exchanges: world.exchanges, webhooks: world.webhooks, failures };
  } finally {
    await world.close();
  }
}
