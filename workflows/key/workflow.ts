// Remembers what a caller's key was used for: it ends at once, and its result is its input.
// In:  api/gateway/temporal/key-binding.ts starts it, and reads it where another request had started it.
// Out: nothing.
import type { BoundTo } from './contract.js';

export const key = (boundTo: BoundTo): Promise<BoundTo> => Promise.resolve(boundTo);
