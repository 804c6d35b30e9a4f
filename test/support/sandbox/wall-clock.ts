import { onTestFinished, vi } from 'vitest';

export function tickWhenRead(): void {
  let nowMs = Date.now();
  const now = vi.spyOn(Date, 'now').mockImplementation(() => (nowMs += 1));
  onTestFinished(() => now.mockRestore());
}

export function standStill(): void {
  const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  onTestFinished(() => now.mockRestore());
}
