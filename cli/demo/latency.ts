// Measures the time from the provider publishing an event until a caller of the API sees it.
import type { LedgerEntry } from '../api/answers.schema.js';
import { Difference, type Scene } from './scene.js';

const SAMPLES = 100;
const LIMIT_MS = 10_000;

export interface Latency {
  samples: number;
  p50Ms: number;
  p99Ms: number;
}

const CHANGES = [
  { action: 'suspend', state: 'suspended', event: 'payto_agreement.suspended' },
  { action: 'reactivate', state: 'active', event: 'payto_agreement.reactivated' },
] as const;

/**
 * The payer suspends and reactivates an active agreement while a caller polls it continuously. The time starts when the
 * provider publishes the event, just before it posts the webhook, so the result is never too low.
 */
export async function measureLatency(scene: Scene, uid: string): Promise<Latency> {
  const { provider, logStep } = scene;
  const before = (await provider.ledger()).at(-1)?.seq ?? 0;
  const visibleAtMs: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const change = CHANGES[sample % 2 === 0 ? 0 : 1];
    await provider.actAsPayer(uid, change.action);
    visibleAtMs.push(await visible(scene, uid, change.state));
  }
  const sentAtMs = publications(await provider.ledger(before), uid);
  if (sentAtMs.length !== SAMPLES) {
    throw new Difference(`agreement ${uid}`, `${SAMPLES} published events`, `${sentAtMs.length}`);
  }
  const latencies = visibleAtMs.map((at, index) => at - (sentAtMs[index] ?? at)).sort((a, b) => a - b);
  const latency = { samples: SAMPLES, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
  logStep(
    `agreement ${uid}`,
    `suspended and reactivated ${SAMPLES} times: visible after ${latency.p50Ms} ms (p50), ${latency.p99Ms} ms (p99)`,
  );
  return latency;
}

async function visible({ api }: Scene, uid: string, state: string): Promise<number> {
  const untilMs = Date.now() + LIMIT_MS;
  for (;;) {
    const agreement = await api.getAgreement(uid);
    const atMs = Date.now();
    if (agreement.state === state) return atMs;
    if (atMs > untilMs) {
      const expected = `${state} within ${LIMIT_MS / 1000} s of the webhook`;
      throw new Difference(`agreement ${uid}`, expected, agreement.state, agreement.links.temporal_ui);
    }
  }
}

const publications = (ledger: readonly LedgerEntry[], uid: string): number[] =>
  ledger.flatMap((entry) => {
    const isChange =
      entry.kind === 'change' &&
      entry.resource_uid === uid &&
      CHANGES.some(({ event }) => event === entry.event_type);
    return isChange ? [Date.parse(entry.at)] : [];
  });

/** The smallest value of a sorted list such that at least this share of all values is not larger. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
