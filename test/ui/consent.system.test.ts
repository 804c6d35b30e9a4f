import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLeftOut, openPage } from '../support/browser/launch.js';
import { openRoad, type Road } from '../support/road.js';
import { useTemporal } from '../support/temporal.js';

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
      expect(await page.getByRole('heading').innerText()).toBe('Connect your account');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
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
      await page.getByRole('button', { name: 'Continue' }).click();
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

test.skipIf(isLeftOut)(
  'a consent that another browser brings back connects nothing, and the right browser still connects',
  async () => {
    await onTheRoad(async (road, link, connection) => {
      const { page: mine } = await openPage(link);
      const { page: theirs } = await openPage(link);
      await mine.getByRole('button', { name: 'Continue' }).click();
      await mine.getByRole('button', { name: 'Allow' }).waitFor();
      await theirs.getByRole('button', { name: 'Continue' }).click();
      await theirs.getByText('This link was opened in another browser').waitFor();

      let back = '';
      await mine.route(`${road.sandbox.url}/oauth/authorize`, async (route) => {
        const decided = await route.fetch({ maxRedirects: 0 });
        back = decided.headers()['location'] ?? '';
        await route.fulfill({ status: 200, body: 'stolen on the way' });
      });
      await mine.getByRole('button', { name: 'Allow' }).click();
      await mine.getByText('stolen on the way').waitFor();
      expect(back).toContain('code=');
      await theirs.goto(back);
      await theirs.getByText('was started in another browser').waitFor();
      expect((await road.backend.connection(connection)).data).toMatchObject({ generation: 0 });

      await mine.goto(back);
      await mine.getByText('You can close this window.').waitFor();
      expect((await road.backend.connection(connection)).data).toMatchObject({ status: 'healthy' });
    });
  },
  ALL_MS,
);
