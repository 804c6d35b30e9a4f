import { expect, test } from 'vitest';
import { reasonOf } from '../../worker/reason.js';

const withCode = (code: number): Error => Object.assign(new Error(`${code} hunter2`), { code });

test.each([
  [
    'tonic::transport::Error(Transport, ConnectError(ConnectError("tcp connect error", 127.0.0.1:1, Os { code: 111, kind: ConnectionRefused, message: "Connection refused" })))',
    'Connection refused',
  ],
  [
    'tonic::transport::Error(Transport, ConnectError(ConnectError("dns error", Custom { kind: Uncategorized, error: "failed to lookup address information: Name or service not known" })))',
    'failed to lookup address information: Name or service not known',
  ],
  ['tonic::transport::Error(Transport, PrivateKeyParseError)', 'PrivateKeyParseError'],
  [
    'Error(Transport, Custom { kind: InvalidData, error: InvalidCertificate(UnknownIssuer("hunter2 Hunter2")) })',
    'UnknownIssuer',
  ],
  [
    'Failed to start prometheus metrics exporter: Address already in use (os error 98)',
    'Address already in use',
  ],
  ["Invalid address for Temporal gRPC endpoint: got 'user:hunter2@Host'", 'Error'],
  ['Status { code: PermissionDenied, message: "token hunter2 of Mary" }', 'Error'],
  ['hunter2', 'Error'],
])('the error "%s" is reported as "%s"', (message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason);
});

test('a gRPC status is reported by name from anywhere in the cause chain', () => {
  expect(reasonOf(new Error('Failed: hunter2', { cause: withCode(5) }))).toBe('NOT_FOUND');
  expect(reasonOf(withCode(16))).toBe('UNAUTHENTICATED');
  expect(reasonOf(withCode(99))).toBe('Error');
});

test('a thrown value other than an Error is reported as unknown', () => {
  expect(reasonOf('hunter2')).toBe('an unknown error');
});
