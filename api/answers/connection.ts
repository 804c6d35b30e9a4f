// From what the connection workflow says to what callers read.
import type { ConnectionView } from '../../workflows/connection.contract.js';
import { connectionLinks } from '../links.js';
import type { TemporalUi } from '../links.js';
import type { Connection } from '../schemas/connection.schema.js';
import { awaitingAnswer } from './legible.js';

/** @param authorizeUrl where a person consents, when a round of consent was just opened. */
export const connectionAnswer = (
  ui: TemporalUi,
  view: ConnectionView,
  authorizeUrl?: string,
): Connection => ({
  id: view.id,
  status: view.status,
  generation: view.generation,
  expires_at: view.expiresAt ?? null,
  scope: view.scope ?? null,
  authorize_url: authorizeUrl ?? null,
  awaiting: awaitingAnswer(view.awaiting),
  attention: view.attention,
  created_at: view.createdAt,
  last_failure: view.lastFailure ?? null,
  links: connectionLinks(ui, view.id),
});
