export interface DovecotSettings {
  folder: string;
  /** Of its sockets: their paths may have 107 characters (unix(7)). */
  run: string;
  port: number;
  tls_port: number;
  owner: { uid: number; gid: number };
  /** Where it asks about access tokens (RFC 7662); without it, it takes passwords only. */
  introspection_url?: string;
  /** More settings, in Dovecot's syntax. */
  extra?: string;
}

/** With their special uses (RFC 6154). */
const FOLDERS = { Sent: 'Sent', Drafts: 'Drafts', Trash: 'Trash', Spam: 'Junk', Archive: 'Archive' };

const folders = Object.entries(FOLDERS)
  .map(([name, use]) => `  mailbox ${name} {\n    auto = subscribe\n    special_use = \\${use}\n  }`)
  .join('\n');

/** Without the right to become other users, all processes run as the one who starts them. */
const UNPRIVILEGED = `
default_internal_user =
default_internal_group =
default_login_user =
service anvil {
  chroot =
}
service imap-login {
  chroot =
}`;

const isRoot = process.getuid?.() === 0;

/** Of Dovecot 2.3, which Debian 12 has. */
export function dovecotSettings(settings: DovecotSettings): string {
  const { folder, run, port, tls_port, owner, introspection_url, extra = '' } = settings;
  return `protocols = imap
listen = 127.0.0.1
base_dir = ${run}
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
first_valid_uid = ${owner.uid}
first_valid_gid = ${owner.gid}
mail_location = maildir:~/Maildir
mail_fsync = never
auth_failure_delay = 0
auth_mechanisms = plain login${introspection_url ? ' xoauth2 oauthbearer' : ''}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = ${folder}/users
}${introspection_url ? `\npassdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${folder}/tokens.conf\n}` : ''}
userdb {
  driver = static
  args = allow_all_users=yes uid=${owner.uid} gid=${owner.gid} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
${folders}
}
service imap-login {
  process_min_avail = 1
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tls_port}
    ssl = yes
  }
}
service auth {
${isRoot ? '  user = root\n' : ''}  unix_listener auth-smtp {
    mode = 0666
  }
}
# Delays answers to an address with wrong passwords.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}${isRoot ? '' : UNPRIVILEGED}
${extra}
`;
}

/** How Dovecot asks whose an access token is. */
export function tokenSettings(introspection_url: string): string {
  return `introspection_mode = get
introspection_url = ${introspection_url}
username_attribute = username
active_attribute = active
active_value = true
`;
}
