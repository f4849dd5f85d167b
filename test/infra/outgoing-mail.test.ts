import { describe, expect, it } from 'vitest';
import { readMailSettings } from '#shared/uses/mail.ts';
import { operations } from '../../functions/catalogue.ts';
import { ofType, synthesize } from './synthesized.ts';

/** How a deployment sends mail, and what its worker may do. */

const settings = (context: Record<string, string>) => readMailSettings((name) => context[name]);

describe('cdk -c', () => {
  it.each([
    [{}, { provider: 'none', from: undefined, smtp_url_secret: undefined }],
    [{ mailFrom: 'a@b.example' }, { provider: 'ses', from: 'a@b.example', smtp_url_secret: undefined }],
    [
      { mailFrom: 'Acme <a@b.example>', mailSmtpUrlSecret: 'mail/smtp' },
      { provider: 'smtp', from: 'Acme <a@b.example>', smtp_url_secret: 'mail/smtp' },
    ],
  ])('%j', (context, wanted) => {
    expect(settings(context as Record<string, string>)).toEqual(wanted);
  });

  it.each([
    [{ mailFrom: 'Acme' }, /must be an address.*mailFrom/],
    [{ mailFrom: 'a@b.example, c@d.example' }, /must be an address/],
    [{ mailSmtpUrlSecret: 'mail/smtp' }, /needs MAIL_FROM/],
  ])('%j is refused', (context: Record<string, string>, message) => {
    expect(() => settings(context)).toThrow(message);
  });
});

/** The roles of all workers, and the variables of the one that sends mail. Few operations, so that it is quick. */
function workersWith(context: Record<string, string>) {
  const { jobs } = synthesize(operations.slice(0, 1), { stage: 'prod', ...context });
  const roles = ofType(jobs, 'AWS::IAM::Role').flatMap(([, { Properties }]) => Properties.Policies ?? []);
  const worker = ofType(jobs, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === 'WorkspaceApiJobs-prod-send-mail',
  );
  return { policies: JSON.stringify(roles), variables: worker?.[1].Properties.Environment.Variables };
}

describe('the worker that sends mail', () => {
  it('may send from one address, by an identity of it or of its domain, and nothing else', () => {
    const { policies, variables } = workersWith({ mailFrom: 'Acme <no-reply@acme.example>' });
    expect(policies.match(/ses:\w+/g)?.toSorted()).toEqual(['ses:FromAddress', 'ses:SendEmail']);
    expect(policies).toContain('identity/no-reply@acme.example');
    expect(policies).toContain('identity/acme.example');
    expect(policies).toContain('"StringEquals":{"ses:FromAddress":"no-reply@acme.example"}');
    expect(variables).toMatchObject({ MAIL_PROVIDER: 'ses', MAIL_FROM: 'Acme <no-reply@acme.example>' });
  });

  it('takes the address of a server from its secret, and may not use SES', () => {
    const { policies, variables } = workersWith({ mailFrom: 'a@b.example', mailSmtpUrlSecret: 'mail/smtp' });
    expect(policies).not.toContain('ses:');
    expect(variables).toMatchObject({
      MAIL_PROVIDER: 'smtp',
      MAIL_FROM: 'a@b.example',
      MAIL_SMTP_URL: expect.stringContaining('{{resolve:secretsmanager:mail/smtp'),
    });
  });

  it('may nothing without them', () => {
    const { policies, variables } = workersWith({});
    expect(policies).not.toContain('ses:');
    expect(variables).toMatchObject({ MAIL_PROVIDER: 'none' });
    expect(variables).not.toHaveProperty('MAIL_FROM');
  });
});
