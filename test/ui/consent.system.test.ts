import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLeftOut } from '../support/browser/launch.js';
import { openRoad } from '../support/road.js';
import { openPage } from '../support/open-page.js';
import { useTemporal } from '../support/temporal.js';
import type { Road } from '../support/road.js';

const temporal = useTemporal();
const ALL_MS = 120_000;

async function onTheRoad(
  work: (road: Road, link: string, connection: string) => Promise<void>,
): Promise<void> {
  const taskQueue = `consent-${randomUUID()}`;
  const road = await openRoad(temporal, taskQueue);
  const goAlong = async () => {
    const id = `con-${randomUUID()}`;
    const { data } = await road.backend.connect(id);
    await work(road, data?.authorize_url ?? '', id);
  };
  await temporal.run(road.activities, goAlong, taskQueue).finally(() => road.close());
}

test.skipIf(isLeftOut)(
  'a merchant who consents is connected, and a reload of the page changes nothing',
  async () => {
    await onTheRoad(async (road, link, connection) => {
      const { page, requests, errors } = await openPage(link);
      expect(await page.getByRole('heading').innerText()).toBe('Allow sandbox-client?');
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('You can close this window.').waitFor();
      expect(await page.getByRole('heading').innerText()).toBe('Connected');
      expect(new URL(page.url()).origin).toBe(road.url);
      expect((await road.backend.connection(connection)).data).toMatchObject({ status: 'healthy' });
      expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(
        new Set([road.sandbox.url, road.url]),
      );
      expect(errors).toEqual([]);
      await page.reload();
      await page.getByText('This link was already used or replaced').waitFor();
      expect((await road.backend.connection(connection)).data).toMatchObject({ generation: 1 });
    });
  },
  ALL_MS,
);

test.skipIf(isLeftOut)(
  'a merchant who denies sees on a small screen that nothing was changed',
  async () => {
    await onTheRoad(async (road, link, connection) => {
      const { page } = await openPage(link, { viewport: { width: 360, height: 640 } });
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('You did not consent, so nothing was changed.').waitFor();
      const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
      expect(fits).toBe(true);
      expect((await road.backend.connection(connection)).data).toMatchObject({
        status: 'awaiting_consent',
      });
    });
  },
  ALL_MS,
);
