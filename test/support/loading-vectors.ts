/** Every way in which HTML or CSS loads something from elsewhere, with an address in place of `URL`. */
const MARKUP = [
  '<img src="URL">',
  '<IMG SRC=URL>',
  "<img src='URL' alt='a > b'>",
  '<img src=" URL ">',
  '<img alt src="URL" width=1 height=1 style="display:none">',
  '<img src="cid:a" srcset="URL 1x, URL 2x">',
  '<img srcset="URL 2x">',
  '<img src="cid:a" src="URL">',
  '<img src="cid:a" lowsrc="URL" dynsrc="URL" longdesc="URL" usemap="URL">',
  '<img src="cid:a" data-src="URL" data-blocked-src="URL">',
  '<image src="URL">',
  '<picture><source srcset="URL"><img src="URL"></picture>',
  '<video src="URL" poster="URL"><source src="URL"><track src="URL"></video>',
  '<audio src="URL" autoplay></audio>',
  '<input type="image" src="URL">',
  '<table background="URL"><tr background="URL"><td background="URL">a</td></tr></table>',
  '<body background="URL">a</body>',
  '<p style="background:url(URL)">a</p>',
  '<p style="background-image:url(&quot;URL&quot;)">a</p>',
  '<p style=\'color:red;background:#fff URL("URL")\'>a</p>',
  '<p style="background:\\75\\72\\6c(URL)">a</p>',
  '<p style="background:u/**/rl(URL)">a</p>',
  '<p style="background:image-set(\'URL\' 1x)">a</p>',
  '<p style="background:-webkit-image-set(url(URL) 1x)">a</p>',
  '<p style="background:cross-fade(url(URL), url(URL), 50%)">a</p>',
  '<ul style="list-style-image:url(URL)"><li>a</ul>',
  '<ul style="list-style:url(URL)"><li>a</ul>',
  '<p style="border-image:url(URL) 1">a</p>',
  '<p style="content:url(URL)">a</p>',
  '<p style="cursor:url(URL),auto">a</p>',
  '<p style="mask:url(URL);filter:url(URL#a);clip-path:url(URL#a);shape-outside:url(URL)">a</p>',
  '<p style="--a:url(URL);background:var(--a)">a</p>',
  '<p style="font-family:a;src:url(URL)">a</p>',
  '<style>@import "URL";</style>a',
  '<style>@import url(URL);@font-face{font-family:a;src:url(URL)}p{background:url(URL);font-family:a}</style><p>a</p>',
  '<link rel="stylesheet" href="URL"><link rel="preload" as="image" href="URL"><link rel="icon" href="URL">a',
  '<link rel="prefetch" href="URL"><link rel="dns-prefetch" href="URL"><link rel="preconnect" href="URL">a',
  '<script src="URL"></script>a',
  '<iframe src="URL"></iframe><iframe srcdoc="<img src=URL>"></iframe>a',
  '<frameset><frame src="URL"></frameset>',
  '<object data="URL" classid="URL" codebase="URL"></object><embed src="URL">a',
  '<applet code="URL" archive="URL"></applet>a',
  '<svg><image href="URL" xlink:href="URL"/><use href="URL#a"/><feImage href="URL"/></svg>a',
  '<svg style="background:url(URL)"><style>@import "URL"</style></svg>a',
  '<math><mglyph src="URL"/></math>a',
  '<base href="URL"><img src="a.png">',
  '<meta http-equiv="refresh" content="0;url=URL">a',
  '<form action="URL"><button formaction="URL">a</button></form>',
  '<a href="https://a.example" ping="URL">a</a>',
  '<bgsound src="URL"><marquee src="URL">a</marquee>',
  '<noscript><img src="URL"></noscript><template><img src="URL"></template>a',
  '<!--[if mso]><img src="URL"><![endif]--><v:image src="URL"><v:fill src="URL">a',
  '<html manifest="URL"><head profile="URL"></head>a</html>',
  '<img title="x" src="URL" title="><img src=URL>">',
];

/** Disguised spellings of the address; a browser on a page of http or https reads all of them as that address. */
function spellingsOf(address: string): string[] {
  const rest = address.slice(address.indexOf('//') + 2);
  const scheme = address.slice(0, address.indexOf('//'));
  return [
    address,
    address.replace(/^[a-z]+/, (name) => name.toUpperCase()),
    `//${rest}`,
    `\\\\${rest}`,
    `/\\${rest}`,
    `${scheme}${rest}`,
    `${scheme}/${rest}`,
    `${scheme}\\\\${rest}`,
    `ht\ntt${scheme.slice(3)}//${rest}`.replace('htt\ntt', 'ht\nt'),
    `\t/\t/${rest}`,
    `\u0001 ${address}`,
    address.replaceAll('t', '&#x74;').replace(':', '&colon;'),
    address.replaceAll('/', '&sol;'),
    `&NewLine;${address}`,
    `view-source:${address}`,
    `cid:x ${address}`,
    `feed:${address}`,
  ];
}

/** HTML that loads `address` in every way, in its own spelling and in others. */
export function loadingVectors(address: string): string[] {
  const plain = MARKUP.map((markup) => markup.replaceAll('URL', address));
  const spelt = spellingsOf(address).flatMap((spelling) =>
    MARKUP.slice(0, 8).map((markup) => markup.replaceAll('URL', spelling)),
  );
  return [...new Set([...plain, ...spelt])];
}
