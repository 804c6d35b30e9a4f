import { expect, test } from 'vitest';
import { KEYS, anApi, get } from '../../../support/api/app.js';
import { problemIn } from '../../../support/api/builders.js';

const PATH = '/v1/reconciliation/2026-10-01/report';
const OF_ACME = `${PATH}?connection=acme`;

test('the report is answered byte by byte, only to a key with the scope personal', async () => {
  const api = anApi();
  const bytes = Buffer.from([0xff, 0xfe, 0x41]);
  api.door.settlement.report
    .mockResolvedValueOnce({ content: { csv: 'Payment,Payer\r\npay-1,A Payer\r\n' } })
    .mockResolvedValueOnce({ content: { base64: bytes.toString('base64') } });
  const csv = await get(api, OF_ACME, KEYS.readPersonal);
  expect(await csv.text()).toBe('Payment,Payer\r\npay-1,A Payer\r\n');
  expect(csv.headers.get('content-disposition')).toBe(
    'attachment; filename="settlement-acme-2026-10-01.csv"',
  );
  const other = await get(api, OF_ACME, KEYS.readPersonal);
  expect([other.headers.get('content-type'), Buffer.from(await other.arrayBuffer())]).toEqual([
    'application/octet-stream',
    bytes,
  ]);
  expect(api.door.settlement.report.mock.lastCall).toEqual(['acme', '2026-10-01']);
  expect(await problemIn(await get(api, OF_ACME, KEYS.read))).toMatchObject({ code: 'insufficient_scope' });
});

test('a report that is not stored is 404, one without its bytes is 410, and the connection must be named', async () => {
  const api = anApi();
  expect((await get(api, OF_ACME, KEYS.readPersonal)).status).toBe(404);
  api.door.settlement.report.mockResolvedValue({ content: undefined });
  expect((await get(api, OF_ACME, KEYS.readPersonal)).status).toBe(410);
  expect(await problemIn(await get(api, PATH, KEYS.readPersonal))).toMatchObject({
    errors: [expect.objectContaining({ parameter: 'connection' })],
  });
});
