import { onTestFinished, vi } from 'vitest';

/** A millisecond passes whenever the time is read, until the test is over: what belongs to one moment is read once. */
export function tickWhenRead(): void {
  let nowMs = Date.now();
  const now = vi.spyOn(Date, 'now').mockImplementation(() => (nowMs += 1));
  onTestFinished(() => now.mockRestore());
}

/**
 * The wall clock stops until the test is over, so the sandbox's own moves by `control.advance` alone. Without it a
 * busy machine lets scripted steps come due between two calls of a test.
 */
export function standStill(): void {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  onTestFinished(() => now.mockRestore());
}
