/** Where mail servers listen: with TLS from the first byte, and with STARTTLS. Only private servers may have others. */
export const mailPorts = { imap: [993, 143], smtp: [465, 587] } as const;

export type MailProtocol = keyof typeof mailPorts;
