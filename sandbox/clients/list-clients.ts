// GET /clients: newest first, filtered by the beginning of the legal name and by ABN (facts 6).
// The parameters' names are our reading: those of the fields.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { registerOperation } from '../http/operation.js';
import { pageOf, pagingParameters } from '../http/paging.js';
import { refusalFrom } from '../http/refusal.js';
import type { Router } from '../http/responses.js';
import { AustralianBusinessNumber } from './client-fields.schema.js';
import { registeredClients } from './client-records.js';
import type { Client } from './client.schema.js';
import { formatClient } from './format-client.js';

const OPERATION = { name: 'list_clients', method: 'GET', path: '/clients', scope: 'clients' } as const;

const Query = z.strictObject({
  ...pagingParameters,
  legal_name: z.string().optional(),
  australian_business_number: AustralianBusinessNumber.optional(),
});
type Query = z.output<typeof Query>;

export function registerListClients(router: Router, engine: Engine): void {
  registerOperation(router, engine, OPERATION, ({ path, query, version }) => {
    const parsed = Query.safeParse(query);
    if (!parsed.success) throw refusalFrom(parsed.error);
    const wanted = registeredClients(engine).filter((client) => isWanted(client, parsed.data));
    const page = pageOf(wanted, ({ id }) => id, { path, query });
    const data = page.items.map((client) => formatClient(client, version));
    return { status: 200, body: { data, links: page.links } };
  });
}

/** Capitals do not count in the name. */
function isWanted({ legal_name, australian_business_number }: Client, query: Query): boolean {
  const { legal_name: beginning = '', australian_business_number: abn } = query;
  return (
    legal_name.toLowerCase().startsWith(beginning.toLowerCase()) &&
    (abn === undefined || abn === australian_business_number)
  );
}
