// What a failure of an activity is called by the stories that read it.
import { expect, test } from 'vitest';
import { CALL_CODES, callCodeOf } from '../../domain/call-codes.js';

test('a code is read as it was given', () => {
  expect(CALL_CODES.map(callCodeOf)).toEqual(CALL_CODES);
});

test.each(['TypeError', 'Error', '', undefined, null])('%s says nothing of what came of the call', (type) => {
  expect(callCodeOf(type)).toBe('unanswered');
});
