// Many listeners to the stream of events: what they cost the API process.
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMsOf, memoryMbOf } from '../process-usage.js';
import type { CostStack } from '../cost/stack.js';
import type { Figure } from '../figures.js';

const LISTENERS = 500;
const SECONDS = 20;

export async function streams(stack: CostStack): Promise<Figure[]> {
  const { api } = stack.pids;
  const usedIn = async (): Promise<number> => {
    const before = await cpuMsOf(api);
    await delay(SECONDS * 1000);
    return (await cpuMsOf(api)) - before;
  };
  console.log(`  … ${2 * SECONDS} s: idle, then ${LISTENERS} listeners`);
  const memoryBefore = await memoryMbOf(api);
  const idle = await usedIn();
  const ending = new AbortController();
  await Promise.all(Array.from({ length: LISTENERS }, () => listen(stack, ending.signal)));
  const listening = await usedIn();
  const memory = (await memoryMbOf(api)) - memoryBefore;
  ending.abort();
  return [
    { what: `${LISTENERS} listeners for ${SECONDS} s: CPU ms of the API above idle`, met: listening - idle },
    { what: `${LISTENERS} listeners: MB of memory of the API above idle`, met: memory },
  ];
}

/** Resolves once the stream is open. It is read until the signal. */
async function listen({ apiUrl, apiKey }: CostStack, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' };
  const response = await fetch(`${apiUrl}/v1/events`, { headers, signal });
  if (!response.ok) throw new Error(`GET /v1/events: expected 200; received ${response.status}`);
  void response.body?.pipeTo(new WritableStream()).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
