// What people and strangers can do with the way back from the authorisation server: once, in time, and for its own connection.
import { describe, expect, test } from 'vitest';
import { consentAt } from '../support/road.js';
import { eventually, useTemporal } from '../support/temporal.js';
import { active, onTheRoad } from '../support/on-the-road.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();

/** A fresh link for a connection. */
const linkFor = async (road: Road, connection: string): Promise<string> => {
  const { body } = await road.post(`/v1/connections/${connection}/reauthorisation`, {});
  return String(body['authorize_url']);
};
/** Where a person who allows would be sent back to. */
const wayBack = async (link: string): Promise<URL> =>
  new URL((await consentAt(link, 'manual')).headers.get('location') ?? '');
const open = async (url: URL) => {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, page: await response.text() };
};
const standing = async (road: Road, connection: string) => {
  const { body } = await road.get(`/v1/connections/${connection}`);
  return { status: body['status'], generation: body['generation'] };
};
const codesOf = ({ sandbox }: Road) =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'token' && entry.grant_type === 'authorization_code' ? [entry.outcome] : [],
    );

describe('the way back from the authorisation server', () => {
  test('is good once: opened again it says so, and asks nothing of the server', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const back = await wayBack(await linkFor(road, connection));
      expect(await open(back)).toMatchObject({ status: 200 });
      const again = await open(back);
      expect(again).toMatchObject({ status: 410 });
      expect(again.page).toContain('This link was used, or there is a newer one');
      expect(codesOf(road)).toEqual(['issued', 'issued']);
      expect(await standing(road, connection)).toEqual({ status: 'healthy', generation: 101 });
    });
  });

  test('is good for the newest link only', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const older = await wayBack(await linkFor(road, connection));
      const newest = await wayBack(await linkFor(road, connection));
      expect(await open(older)).toMatchObject({ status: 410 });
      expect(await open(newest)).toMatchObject({ status: 200 });
      expect(await standing(road, connection)).toEqual({ status: 'healthy', generation: 101 });
    });
  });

  test('a code cannot be moved to another connection: its challenge is that of its own link', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const other = `${connection}-other`;
      await road.consent(other);
      const stolen = (await wayBack(await linkFor(road, connection))).searchParams.get('code') ?? '';
      const theirs = await wayBack(await linkFor(road, other));
      theirs.searchParams.set('code', stolen);
      const answered = await open(theirs);
      expect(answered).toMatchObject({ status: 400 });
      expect(answered.page).toContain('Not connected');
      expect(codesOf(road).at(-1)).toBe('code_verifier_differs');
      expect(await standing(road, other)).toEqual({ status: 'healthy', generation: 1 });
      expect(await standing(road, connection)).toEqual({ status: 'healthy', generation: 1 });
    });
  });

  test('a code that was used elsewhere changes nothing, and is noted', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const used = await wayBack(await linkFor(road, connection));
      await open(used);
      const next = await wayBack(await linkFor(road, connection));
      next.searchParams.set('code', used.searchParams.get('code') ?? '');
      expect(await open(next)).toMatchObject({ status: 400 });
      const { body } = await road.get(`/v1/connections/${connection}`);
      expect(body).toMatchObject({
        status: 'healthy',
        generation: 101,
        last_failure: { code: 'code_refused' },
      });
    });
  });

  test.each([
    ['cut_after_commit', 502, 'no clear answer', 'unavailable'],
    ['error_500_before', 502, 'no clear answer', 'unavailable'],
    ['malformed_json', 502, 'no clear answer', 'malformed'],
    ['error_429', 502, 'too busy for us', 'rate_limited'],
    ['invalid_client', 500, 'wrong on our side', 'client_refused'],
  ] as const)(
    'a code whose exchange meets %s changes nothing, and the page says what is known',
    async (fault, status, words, code) => {
      await onTheRoad(temporal, async (road, connection) => {
        const back = await wayBack(await linkFor(road, connection));
        road.sandbox.control.addFault({ on: 'token', do: fault, times: 1 });
        const answered = await open(back);
        expect(answered).toMatchObject({ status });
        expect(answered.page).toContain(words);
        expect((await road.get(`/v1/connections/${connection}`)).body).toMatchObject({
          status: 'healthy',
          generation: 1,
          attention: [],
          last_failure: { code },
        });
        expect(await open(await wayBack(await linkFor(road, connection)))).toMatchObject({ status: 200 });
      });
    },
  );

  test('of two that come back at once both are let in, and the newest pair is the one that is kept', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const links = [1000, 2500].map(async (delay_ms, index) => {
        road.sandbox.control.addFault({ on: 'token', do: 'slow', times: 1, delay_ms });
        await eventually(
          () => Promise.resolve(codesOf(road).length),
          (count) => count === 1 + index,
        );
        return open(await wayBack(await linkFor(road, connection)));
      });
      for (const answered of await Promise.all(links)) expect(answered).toMatchObject({ status: 200 });
      expect(codesOf(road)).toEqual(['issued', 'issued', 'issued']);
      const [, earlier, newest] = road.sandbox.control.state().grants;
      road.sandbox.control.revokeGrants(earlier?.id);
      await active(road, connection);
      expect(newest?.revoked).toBe(false);
    });
  });

  test('who denies is told so, nothing changes, and the link can still be used', async () => {
    await onTheRoad(temporal, async (road, connection) => {
      const link = await linkFor(road, connection);
      const denied = new URL((await wayBack(link)).href);
      denied.searchParams.delete('code');
      denied.searchParams.set('error', 'access_denied');
      expect(await open(denied)).toMatchObject({ status: 403 });
      expect(await standing(road, connection)).toEqual({ status: 'healthy', generation: 1 });
      expect(await open(await wayBack(link))).toMatchObject({ status: 200 });
    });
  });
});
