import { describe, expect, it } from 'vitest';
import { below, readAddress } from '#shared/addresses.ts';

/** docs/operations.md, "Links in mail" */
describe('the address of the app', () => {
  it.each([
    ['https://app.acme.example', 'https://app.acme.example'],
    ['https://app.acme.example/', 'https://app.acme.example'],
    ['https://acme.example/app//', 'https://acme.example/app'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ])('%s is read', (text, address) => {
    expect(readAddress(text, 'APP_URL')).toBe(address);
  });

  it.each([
    'app.acme.example',
    'http://app.acme.example',
    'javascript:alert(1)',
    'https://ada@acme.example',
    'https://:secret@acme.example',
    'https://acme.example/?a=b',
    'https://acme.example/#/app',
    'mailto:ada@acme.example',
  ])('%s is refused', (text) => {
    expect(() => readAddress(text, 'APP_URL')).toThrow(/^APP_URL must be an address such as/);
  });

  it('is optional, and has no links then', () => {
    expect(readAddress(undefined, 'APP_URL')).toBeUndefined();
    expect(readAddress('', 'APP_URL')).toBeUndefined();
    expect(below(undefined, 'threads', '1')).toBeUndefined();
  });

  it('has pages below it, whose names cannot leave it', () => {
    expect(below('https://a.example/app', 'threads', '1')).toBe('https://a.example/app/threads/1');
    expect(below('https://a.example', '../x?y#z', ' ')).toBe('https://a.example/..%2Fx%3Fy%23z/%20');
  });
});
