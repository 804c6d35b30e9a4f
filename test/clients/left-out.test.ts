import { expect, test } from 'vitest';
import { leftOut, namesInDocument } from './left-out.js';

const DOCUMENT = JSON.stringify({
  paths: {
    '/v1/payments': { parameters: [], get: { operationId: 'listPayments' } },
    '/v1/batches': { post: { operationId: 'createBatch' } },
  },
  components: { schemas: { Payment: {}, BatchCounts: {}, CreateBatch: { oneOf: [] } } },
});

test('it names each operation and schema that a generated client lacks, in any spelling', () => {
  const document = namesInDocument(DOCUMENT);
  expect(leftOut(document, { operations: ['list_payments'], schemas: ['Batch_Counts'] })).toEqual([
    'operation createBatch',
    'schema Payment',
  ]);
  expect(leftOut(document, document)).toEqual([]);
});
