import { expect, test } from 'vitest';
import { createAdminApp } from '../../../api/app.js';
import { anApi } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';

const { dependencies } = anApi();
const admin = createAdminApp({ ...dependencies, hosts: ['api', 'payto.internal'] });
const ask = (host: string, path = '/metrics') =>
  admin.request(`http://127.0.0.1:8081${path}`, { headers: { host } });

test.each(['localhost:8081', '127.0.0.1:8081', '10.0.0.7', '[::1]:8081', 'api:8081', 'Payto.Internal.'])(
  'the admin port answers requests to %s',
  async (host) => expect((await ask(host)).status).toBe(200),
);

test.each(['evil.example:8081', 'localhost.evil.example', '127.0.0.1.evil.example', 'apis', 'a b', ''])(
  'the admin port refuses requests to %j, as of a foreign page by DNS rebinding',
  async (host) => {
    for (const path of ['/metrics', '/readyz', '/codec/login', '/none'])
      expect(await problemIn(await ask(host, path))).toMatchObject({ status: 403, code: 'host_not_allowed' });
  },
);
