import { describe, expect, it } from 'vitest';
import { MOST_URL_CHARS, isPrivateAddress, urlProblem } from '../../delivery/webhook-address.js';

const PRIVATE =
  '0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.9 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 64:ff9b::a00:1 64:ff9b:1::1 2001:db8::1 2002:a00:1:: fc00::1 fd12::1 fe80::1 fe80::1%eth0 ff02::1 3fff::1 localhost 10.1';
const PUBLIC = '8.8.8.8 100.63.255.255 172.32.0.1 192.0.1.1 2606:4700::1111 2a00:1450::1';

describe('addresses of webhooks', () => {
  it.each(PRIVATE.split(' '))('takes %s for private', (ip) => {
    expect(isPrivateAddress(ip)).toBe(true);
  });

  it.each(PUBLIC.split(' '))('takes %s for public', (ip) => {
    expect(isPrivateAddress(ip)).toBe(false);
  });

  it.each([
    ['https://example.com/hooks', undefined],
    ['https://8.8.8.8/', undefined],
    ['http://example.com/', 'must begin with https://'],
    ['ftp://example.com/', 'must begin with https://'],
    ['/hooks', 'must be an absolute URL'],
    ['https://me@example.com/', 'must not contain a user name or a password'],
    ['https://2130706433/', 'must not be a private, loopback or reserved address'],
    ['https://0x7f.1/', 'must not be a private, loopback or reserved address'],
    ['https://[::1]/', 'must not be a private, loopback or reserved address'],
    [`https://example.com/${'a'.repeat(MOST_URL_CHARS)}`, `must have at most ${MOST_URL_CHARS} characters`],
  ])('checks %s', (url, problem) => {
    expect(urlProblem(url, false)).toBe(problem);
  });

  it('accepts a local endpoint if private addresses are allowed', () => {
    expect(urlProblem('http://127.0.0.1:3000/hooks', true)).toBeUndefined();
  });
});
