import { describe, expect, it } from 'vitest';
import { servicesOf } from '#shared/providers/push/services.ts';
import { vapid } from '../../support/push-keys.ts';

describe('PUSH_CREDENTIALS', () => {
  it('names the services that there are keys for, the same ones each time', () => {
    const text = JSON.stringify({ web: vapid });
    expect(Object.entries(servicesOf(text)).filter(([, service]) => service)).toHaveLength(1);
    expect(servicesOf(text)).toBe(servicesOf(text));
    expect(servicesOf(undefined)).toEqual({});
  });

  it.each([
    ['not JSON, with a secret', 'PUSH_CREDENTIALS is not JSON'],
    [
      '{"web":{"subject":"secret","public_key":"a","private_key":"b"}}',
      'web.subject: must begin with mailto:',
    ],
    ['{"ios":{"key":"secret"}}', 'ios.key_id'],
    ['{"window":{"key":"secret"}}', 'window'],
  ])('%s: says what is wrong without the keys', (text, problem) => {
    expect(() => servicesOf(text)).toThrow(problem);
    expect(() => servicesOf(text)).not.toThrow('secret');
  });
});
