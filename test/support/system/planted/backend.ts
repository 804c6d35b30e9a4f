import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fetchPatiently } from '../../http.js';
import { eventually } from '../../temporal.js';
import type { PlantedStack } from './stack.js';

const Answer = z.object({ data: z.looseObject({}) });

export function backendOf({ url, secrets }: PlantedStack) {
  const headers = { authorization: `Bearer ${secrets.api_key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const key = { 'idempotency-key': randomUUID() };
    const answer = await fetchPatiently(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...key },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const done = async (path: string, body: object) => {
    const { status, text } = await post(path, body);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
    return Answer.parse(JSON.parse(text)).data;
  };
  const until = (path: string, name: string, wanted: string | null) =>
    eventually(
      async () => Answer.parse(await (await fetchPatiently(`${url}${path}`, { headers })).json()).data,
      ({ [name]: met }) => met === wanted,
    );
  return { post, done, until };
}
export type Backend = ReturnType<typeof backendOf>;

export const mandate = (uid: string, connection: string, value: string, type: string) => ({
  uid,
  connection,
  purpose: 'utility',
  description: 'Plan 77',
  debtor: { party_name: 'A Payer', account_identifier: { type, value } },
  creditor: {
    party_name: 'B Biller',
    ultimate_party_name: 'B Biller',
    account_identifier: { type: 'bban', value: '200002-55550001' },
  },
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
});
