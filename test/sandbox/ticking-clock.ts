// Time that passes between any two readings: whatever belongs to one moment must be read once.
import { onTestFinished, vi } from 'vitest';

/** A millisecond passes whenever the time is read, until the test is over. */
export function tickWhenRead(): void {
  let nowMs = Date.now();
  const now = vi.spyOn(Date, 'now').mockImplementation(() => (nowMs += 1));
  onTestFinished(() => now.mockRestore());
}
