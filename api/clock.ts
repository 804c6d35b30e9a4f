// Time as the API sees it: given to it, so that tests need not wait.

export interface Clock {
  now: () => number;
  /** Resolves after so long, or as soon as the signal aborts; never rejects. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
}
