import { expect, test } from 'vitest';
import { recordsUrl } from '../../records/settings.schema.js';

const AT = 'postgres://payto:hunter2%21@db.example/payto_records';

test.each([
  [AT, { ca: undefined }],
  [`${AT}?sslmode=verify-full`, { ca: undefined }],
  [`${AT}?sslmode=disable`, false],
  ['postgres://payto:hunter2@127.0.0.1:5433/payto_records', false],
  ['postgres://payto:hunter2@localhost/payto_records?sslmode=verify-full', { ca: undefined }],
])('TLS is verified unless the server is local or TLS is disabled: %s', (url, tls) => {
  expect(recordsUrl.parse(url).tls).toEqual(tls);
});

test('the parts of the address are decoded', () => {
  const { password, ...settings } = recordsUrl.parse(`${AT}?sslmode=disable`);
  expect(password.reveal()).toBe('hunter2!');
  expect(settings).toEqual({
    host: 'db.example',
    port: 5432,
    user: 'payto',
    database: 'payto_records',
    tls: false,
  });
});

test.each([
  'db.example:5432',
  'https://payto:hunter2@db.example/records',
  'postgres://db.example/records',
  'postgres://payto:hunter2@db.example',
  `${AT}?sslmode=require`,
  `${AT}?sslmode=no-verify`,
  `${AT}?sslrootcert=/nowhere/ca.pem`,
  `${AT}?options=-c`,
])('%s is refused without quoting the password', (url) => {
  const { success, error } = recordsUrl.safeParse(url);
  expect(success).toBe(false);
  expect(error?.message).toContain('expected');
  expect(error?.message).not.toMatch(/hunter2/);
});
