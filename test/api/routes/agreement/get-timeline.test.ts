import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { inOrder } from '../../../../domain/facts/fact.js';
import { olderFacts } from '../../../../domain/facts/timeline.js';
import type { Fact } from '../../../../domain/facts/fact.js';
import { anApi, get } from '../../../support/api/app.js';
import type { Api } from '../../../support/api/app.js';
import { aFact, problemIn } from '../../../support/api/builders.js';

const TIMELINE = '/v1/agreements/agr-1/timeline';
const Page = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  older_count: z.number(),
  links: z.strictObject({ next: z.string().optional(), older: z.string().optional() }),
});

const pageAt = async (api: Api, path: string) => {
  const response = await get(api, path);
  expect(response.status, await response.clone().text()).toBe(200);
  return Page.parse(await response.json());
};

const at = (second: number, id = `f-${second}`): Fact =>
  aFact({ id, publishedAt: new Date(Date.UTC(2026, 9, 1) + second * 1000).toISOString() });
const some = (from: number, to: number): Fact[] =>
  Array.from({ length: to - from }, (_, index) => at(from + index));

function aWorld(
  all: readonly Fact[],
  keeps: number,
  most?: { facts: number; characters: number },
  api = anApi(),
) {
  const world = {
    history: [...all],
    kept: inOrder(all).slice(all.length - keeps),
    olderCount: all.length - keeps,
  };
  const timeline = () => ({
    facts: world.kept,
    olderCount: world.olderCount,
    conflicts: [],
    connectionId: 'acme',
  });
  api.door.agreements.timeline.mockImplementation(() => Promise.resolve(timeline()));
  api.door.agreements.older.mockImplementation((asked) =>
    Promise.resolve(olderFacts(world.history, asked, most)),
  );
  return { api, world };
}

async function walk(api: Api, first: string, meanwhile: () => void = () => undefined): Promise<string[]> {
  const met: string[] = [];
  let steps = 0;
  for (let path: string | undefined = first; path !== undefined; steps += 1) {
    const page: z.output<typeof Page> = await pageAt(api, path);
    met.push(...page.data.map(({ id }) => id));
    path = page.links.next;
    meanwhile();
    if (steps > 500) throw new Error('expected the pages to end');
  }
  return met;
}
const idsOf = (facts: readonly Fact[]): string[] => facts.map(({ id }) => id);

describe('timeline from stored facts', () => {
  test('is the default, links to older facts and sends nothing to the provider', async () => {
    const { api } = aWorld(some(0, 10), 4);
    const page = await pageAt(api, `${TIMELINE}?per_page=2`);
    expect(page).toMatchObject({ data: [{ id: 'f-6', conflict: false }, { id: 'f-7' }], older_count: 6 });
    expect(page.links.older).toBe(`${TIMELINE}?from=beginning&per_page=2`);
    expect(await walk(api, `${TIMELINE}?per_page=3`)).toEqual(['f-6', 'f-7', 'f-8', 'f-9']);
    expect(api.door.agreements.older).not.toHaveBeenCalled();
  });

  test.each([
    ['has no older facts', { olderCount: 0, connectionId: 'acme' }],
    ['has no known connection', { olderCount: 3 }],
  ])('is complete if the agreement %s', async (_, known) => {
    const api = anApi();
    api.door.agreements.timeline.mockResolvedValue({ facts: some(0, 3), conflicts: [], ...known });
    const page = await pageAt(api, `${TIMELINE}?from=beginning`);
    expect(page).toMatchObject({ data: [{ id: 'f-0' }, { id: 'f-1' }, { id: 'f-2' }], links: {} });
    expect(page.links).toEqual({});
    expect(api.door.agreements.older).not.toHaveBeenCalled();
  });
});

describe('timeline from the beginning', () => {
  test('marks facts from the provider, and shows null for fields no longer known', async () => {
    const { api, world } = aWorld(some(0, 2), 1);
    world.history = world.history.map((fact) => ({ ...fact, source: 'history' as const }));
    const { data } = await pageAt(api, `${TIMELINE}?from=beginning`);
    expect(data).toMatchObject([
      { id: 'f-0', source: 'history', received_at: null, late_by_seconds: null, conflict: null },
      { id: 'f-1', source: 'webhook', received_at: at(1).receivedAt, conflict: false },
    ]);
  });

  test('shows all facts between a late fact and the other stored facts', async () => {
    const { api, world } = aWorld(some(0, 20), 5);
    world.kept = [at(3), ...world.kept];
    expect(await walk(api, `${TIMELINE}?from=beginning&per_page=4`)).toEqual(idsOf(some(0, 20)));
  });

  test('includes stored facts unknown to the provider at their place in the order', async () => {
    const { api, world } = aWorld(some(0, 20), 5);
    const ours = { ...at(17, 'f-17-ours'), source: 'lookup' as const };
    world.kept = inOrder([...world.kept, ours]);
    const all = idsOf(inOrder([...some(0, 20), ours]));
    expect(await walk(api, `${TIMELINE}?from=beginning&per_page=6`)).toEqual(all);
  });

  test('is complete for any page size while facts are dropped between pages', async () => {
    const world = fc.record({
      seconds: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 40 }),
      keeps: fc.integer({ min: 1, max: 10 }),
      perPage: fc.integer({ min: 1, max: 12 }),
      most: fc.record({ facts: fc.integer({ min: 1, max: 15 }), characters: fc.constantFrom(1, 1e6) }),
      drops: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
      from: fc.constantFrom('from=beginning&', ''),
    });
    const shared = anApi();
    await fc.assert(
      fc.asyncProperty(world, async ({ seconds, keeps, perPage, most, drops, from }) => {
        const all = inOrder(seconds.map((second, index) => at(second, `f-${index}`)));
        const { world: here } = aWorld(all, Math.min(keeps, all.length), most, shared);
        const begun = idsOf(here.kept);
        const left = [...drops];
        const met = await walk(shared, `${TIMELINE}?${from}per_page=${perPage}`, () => {
          const dropped = Math.min(left.shift() ?? 0, here.kept.length - 1);
          here.kept = here.kept.slice(dropped);
          here.olderCount += dropped;
        });
        expect(met).toEqual(from === '' ? begun : idsOf(all));
      }),
      { numRuns: 150 },
    );
  });
});

describe('timeline refusals', () => {
  test.each([
    ['a forged cursor', 'cursor', '?cursor=aGVsbG8'],
    ['a cursor of another form', 'cursor', `?cursor=${Buffer.from('["a","b","c"]').toString('base64url')}`],
    ['an overlong cursor', 'cursor', `?cursor=${Buffer.from('["a","b",null,1]').toString('base64url')}`],
    ['an unknown start', 'from', '?from=end'],
    ['an unknown parameter', 'older', '?older=true'],
  ])('answer 400 for %s before any read', async (_, parameter, query) => {
    const api = anApi();
    const problem = await problemIn(await get(api, `${TIMELINE}${query}`));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', parameters: [parameter] });
    expect(api.door.agreements.timeline).not.toHaveBeenCalled();
  });

  test('include the status and codes of the provider', async () => {
    const { api } = aWorld(some(0, 3), 1);
    const upstream = { status: 503, codes: ['ZPADD98'], retryable: true };
    api.door.agreements.older.mockRejectedValue(new ApiError('provider_unavailable', 'Later.', { upstream }));
    const response = await get(api, `${TIMELINE}?from=beginning`);
    expect(response.headers.get('retry-after')).toBe('5');
    const body: unknown = await response.clone().json();
    expect(body).toMatchObject({ status: 502, code: 'provider_unavailable', upstream });
    expect(await problemIn(response)).toMatchObject({ code: 'provider_unavailable' });
  });

  test('have no upstream details without a response from the provider', async () => {
    const { api } = aWorld(some(0, 3), 1);
    api.door.agreements.older.mockRejectedValue(new ApiError('needs_reauthorisation', 'Consent again.'));
    const response = await get(api, `${TIMELINE}?from=beginning`);
    expect(response.status).toBe(409);
    expect(await response.json()).not.toHaveProperty('upstream');
  });
});
