// GET /payto/agreements/{uid}/history: every event of the agreement, newest first.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { findAgreement } from './find-agreement.js';
import { formatHistoryEntry } from '../webhooks/format-event.js';
import { registerOperation } from '../http/operation.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';

const OPERATION = {
  name: 'agreement_history',
  method: 'GET',
  path: '/payto/agreements/:uid/history',
  scope: 'pay_to_agreements',
} as const;

const Query = z.strictObject(pagingParameters);

export function registerReadAgreementHistory(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ uid, path, query }) => {
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const agreement = findAgreement(engine, uid);
    const events = (engine.store.events.get(agreement.uid) ?? []).toReversed();
    const page = pageOf(events, (event) => event.id, { path, query });
    return { status: 200, body: { data: page.items.map(formatHistoryEntry), links: page.links } };
  });
}
