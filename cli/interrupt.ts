// Ctrl-C: the first asks for an orderly end, the second for an end.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One press reaches us up to three times: from the terminal, and passed on by npm and by tsx. */
const ONE_PRESS_MS = 1_000;

export interface Presses {
  first: () => void;
  second: () => void;
}

/** What to do when a signal arrives. @param nowMs for tests. */
export function pressed({ first, second }: Presses, nowMs = () => performance.now()): () => void {
  let firstAtMs: number | undefined;
  return () => {
    if (firstAtMs === undefined) {
      firstAtMs = nowMs();
      first();
    } else if (nowMs() - firstAtMs > ONE_PRESS_MS) {
      second();
    }
  };
}

/** From here on this process ends only as it is told here. */
export function onInterrupt(presses: Presses): void {
  const hear = pressed(presses);
  for (const signal of SIGNALS) process.on(signal, hear);
}
