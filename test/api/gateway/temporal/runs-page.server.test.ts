import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createGateway } from '../../../../api/gateway/create.js';
import { AGREEMENT_WORKFLOW, agreementWorkflowId } from '../../../../workflows/agreement/contract.js';
import { AGREEMENT_STATE, CONNECTION_ID } from '../../../../workflows/entity/search-attributes.js';
import { eventually, useTemporal } from '../../../support/temporal.js';
import type { ListQuery } from '../../../../api/http/parameters.schema.js';
import type { AgreementView } from '../../../../workflows/agreement/contract.js';

const temporal = useTemporal();
const PER_PAGE = 2;

function anAccount() {
  const { client } = temporal;
  const connection = `con-${randomUUID()}`;
  const names = new Map<string, string>();
  const handleOf = (uid: string) => client.workflow.getHandle(agreementWorkflowId(uid));
  let begun = 0;
  const isListed = (query: string, wanted: number) =>
    eventually(
      () => client.workflow.count(`ConnectionId = '${connection}' AND ${query}`),
      ({ count }) => count === wanted,
    );
  const begin = async (...those: string[]): Promise<void> => {
    for (const name of those) {
      const uid = names.get(name) ?? `${name}-${randomUUID()}`;
      names.set(name, uid);
      await client.workflow.start(AGREEMENT_WORKFLOW, {
        taskQueue: `nobody-${connection}`,
        workflowId: agreementWorkflowId(uid),
        args: [{ uid, connectionId: connection }],
        typedSearchAttributes: [
          { key: CONNECTION_ID, value: connection },
          { key: AGREEMENT_STATE, value: 'active' },
        ],
      });
      begun += 1;
    }
    await isListed('StartTime IS NOT NULL', begun);
  };
  const end = async (...those: string[]): Promise<void> => {
    const { count } = await client.workflow.count(`ConnectionId = '${connection}' AND CloseTime IS NOT NULL`);
    for (const name of those) await handleOf(names.get(name) ?? '').terminate();
    await isListed('CloseTime IS NOT NULL', count + those.length);
  };
  const door = createGateway(client, 'nobody');
  const page = async (cursor?: string, over: Partial<ListQuery<AgreementView['state']>> = {}) => {
    const { items, next } = await door.agreements.list({
      per_page: PER_PAGE,
      connection,
      ...over,
      cursor,
    });
    return { found: items.map(({ uid }) => uid.slice(0, 1)), next };
  };
  const rest = async (cursor?: string): Promise<string[]> => {
    const { found, next } = await page(cursor);
    expect(found.length).toBeLessThanOrEqual(PER_PAGE);
    return next === undefined ? found : [...found, ...(await rest(next))];
  };
  return { begin, end, page, rest };
}

test('an agreement with several runs is listed once, with its latest run', async () => {
  const { begin, end, page, rest } = anAccount();
  await begin('a', 'b', 'c', 'd', 'e');
  await end('a', 'b', 'c');
  await begin('a', 'b');
  await end('a');
  expect(await rest()).toEqual(['b', 'e', 'd', 'a', 'c']);
  expect(await page(undefined, { per_page: 100 })).toEqual({
    found: ['b', 'e', 'd', 'a', 'c'],
    next: undefined,
  });
});

test('agreements that end or restart between pages are neither repeated nor missing', async () => {
  const { begin, end, page, rest } = anAccount();
  await begin('a', 'b', 'c', 'd', 'e', 'f');
  await end('a', 'b');
  const first = await page();
  expect(first.found).toEqual(['f', 'e']);
  await end('f', 'c');
  await begin('a', 'b', 'c', 'n');
  await end('b');
  const second = await page(first.next);
  expect(second.found).toEqual(['d', 'c']);
  await begin('f', 'b');
  await end('d', 'n');
  expect((await rest(second.next)).sort()).toEqual(['a', 'b']);
});
