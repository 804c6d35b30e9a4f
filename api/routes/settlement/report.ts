// The provider's settlement report of a day, as it was downloaded.
import { z } from 'zod';
import { CSV, CSV_UTF8 } from '../../http/csv.js';
import { contract, endpoint } from '../../http/contract.js';
import { withScope } from '../../http/identify.js';
import { DayParams, connectionId } from '../../http/parameters.schema.js';
import { ApiError } from '../../http/problems/errors.js';

const BYTES = 'application/octet-stream';

const stated = contract({
  method: 'get',
  path: '/v1/reconciliation/{day}/report',
  operationId: 'readSettlementReport',
  tags: ['settlement'],
  summary: 'Get the provider’s settlement report of a day, as it was downloaded',
  description:
    'Use it to see what a line of the report has, which an exception of the day names by its number. The newest report of the connection is answered byte by byte. ' +
    'It may name payers, so the key also needs the scope `personal`.',
  task: 'float.md#reconcile-a-day',
  access: 'read',
  connection: 'query',
  request: { params: DayParams, query: z.strictObject({ connection: connectionId }) },
  answers: {
    200: {
      description: 'The bytes of the report.',
      content: {
        [CSV]: { schema: z.string() },
        [BYTES]: { schema: z.string().meta({ format: 'binary' }) },
      },
    },
  },
  problems: [404, 410, 422, 503],
});

export const readSettlementReport = endpoint(stated, ({ temporal }) => async (c) => {
  withScope(c.get('apiKey'), 'personal');
  const { day } = c.req.valid('param');
  const { connection: named } = c.req.valid('query');
  const connection = await temporal.connectionFor(named);
  const report = await temporal.settlement.report(connection, day);
  if (report === undefined)
    throw new ApiError(
      'not_found',
      'No report of this connection and day is stored. Its reconciliation says why.',
    );
  if (report.content === undefined)
    throw new ApiError(
      'gone',
      'The bytes of this report are not stored: it was too large, or it was erased.',
    );
  const { content } = report;
  c.header('content-disposition', `attachment; filename="settlement-${connection}-${day}.csv"`);
  return 'csv' in content
    ? c.body(content.csv, 200, { 'content-type': CSV_UTF8 })
    : c.body(Buffer.from(content.base64, 'base64'), 200, { 'content-type': BYTES });
});
