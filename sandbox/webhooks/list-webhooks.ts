// GET /webhooks: there is one.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { pagingHeaders, readPage, readPerPage } from '../http/core-paging.js';
import { registerOperation } from '../http/operation.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { webhookRecord } from './webhook-record.js';

const OPERATION = { name: 'list_webhooks', method: 'GET', path: '/webhooks', scope: 'webhooks' } as const;

const Query = z.strictObject({ page: z.string().optional(), per_page: z.string().optional() });

export function registerListWebhooks(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ path, query }) => {
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const perPage = readPerPage(parsed.data.per_page);
    const isFirst = readPage(parsed.data.page) === 1;
    const data = isFirst ? [webhookRecord(engine.settings)] : [];
    const headers = pagingHeaders(engine, { path, query }, perPage, undefined);
    return { status: 200, body: { data }, headers };
  });
}
