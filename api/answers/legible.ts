// From what workflows say to what callers read: absent becomes null, and names are spelled as the provider spells.
import type { Reason } from '../../domain/fact.js';
import type { Awaiting } from '../../domain/legible.js';

export const awaitingAnswer = ({ what, since, until }: Awaiting) => ({ what, since, until: until ?? null });

export function reasonAnswer(reason: Reason | undefined) {
  if (reason === undefined) return null;
  const { code = null, title = null, detail = null, narrative = null } = reason;
  return { code, title, detail, narrative };
}
