/// The style sheet and the script of documentation in HTML, with their hashes for its Content-Security-Policy.
///
/// After a change, the tests print the new hashes.
enum DocsPage {
    static let styleHash = "sha256-0aM0GicRMbJBwhVNmqXMzkcsFS3/Q2heRbfynFyUO10="
    static let scriptHash = "sha256-3PoLtCiaitrw9LKz66mjmqQx3DMeZwuaKpmT/4xzhdg="

    static let style = """
        :root { color-scheme: light dark; --page: #fff; --text: #161f2e; --soft: #434e60; --line: #dce2eb; --band: #f6f8fb; --link: #1a3da6;
          --mark: #e4ebff; --code: #0f192b; --ink: #e9eff9; --dim: #b7c4d9; --post: #0b5a31; --put: #6a4100; --delete: #93111f }
        @media (prefers-color-scheme: dark) { :root { --page: #0b111b; --text: #e7ecf4; --soft: #b4c0d1; --line: #2a3549; --band: #111a28;
          --link: #a9c3ff; --mark: #1d2d57; --code: #151f31; --post: #8fe0b0; --put: #f2c879; --delete: #ffb3b3 } }
        * { box-sizing: border-box }
        [hidden] { display: none !important }
        html { font: 1em/1.6 system-ui, sans-serif; background: var(--page); color: var(--text); -webkit-text-size-adjust: 100% }
        body { margin: 0; overflow-wrap: anywhere }
        a { color: var(--link); text-underline-offset: .2em }
        h1, h2, h3, h4 { line-height: 1.25; margin: 0; font-weight: 650; text-wrap: balance }
        h1 { font-size: clamp(2rem, 5vw, 3rem); letter-spacing: -.03em }
        h2 { font-size: 1.75rem; letter-spacing: -.02em }
        h3 { font-size: 1.25rem }
        h4 { font-size: 1rem; margin-top: 1.5rem }
        p, ul, table, figure { margin: .75rem 0 0 }
        :is(h2, h3, th) a { color: inherit; text-decoration: none }
        a:hover { text-decoration: underline; text-decoration-thickness: 2px }
        code, pre, h3, nav li li { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
        code { font-size: .875em }
        :focus-visible { outline: 3px solid var(--link); outline-offset: -1px; border-radius: .25rem }
        .skip { position: absolute; left: 1rem; top: -9rem; padding: .5rem 1rem; background: var(--page); z-index: 1 }
        .skip:focus { top: 1rem }
        nav { padding: 1.25rem; background: var(--band); border-bottom: 1px solid var(--line) }
        nav ul { list-style: none; margin: 0 0 .75rem; padding: 0; font-size: .9375rem }
        nav li li { font-size: .8125rem; border-left: 1px solid var(--line); padding-left: .75rem }
        nav a { display: block; padding: .2rem 0; color: inherit; text-decoration: none }
        nav a:hover { color: var(--link) }
        nav summary { font-weight: 650 }
        label { display: block; font-weight: 650 }
        input { font: .9375rem/1.6 system-ui, sans-serif; width: 100%; margin-top: .25rem; padding: .5rem .75rem; color: inherit; background: var(--page);
          border: 1px solid var(--soft); border-radius: .5rem }
        ::placeholder { color: var(--soft); opacity: 1 }
        [role=status] { margin: .5rem 0; color: var(--soft); font-size: .875rem }
        main > * { padding: 2rem 1.25rem }
        main > section { border-top: 1px solid var(--line) }
        main::after { content: ""; display: block; height: 70vh }
        article { margin: 2rem -.5rem 0; padding: .75rem .5rem; content-visibility: auto; contain-intrinsic-size: auto 45rem }
        .lead { font-size: 1.125rem; color: var(--soft); max-width: 44rem }
        article b { padding: .05rem .5rem; margin-right: .625rem; border: 1px solid; border-radius: .375rem; font-size: .8125rem }
        .get { color: var(--link) } .post { color: var(--post) } .put, .patch { color: var(--put) } .delete { color: var(--delete) }
        table { width: 100%; border-collapse: collapse; font-size: .9375rem }
        th, td { text-align: left; vertical-align: top; padding: .5rem 1rem .5rem 0; font-weight: 400 }
        tr { border-top: 1px solid var(--line) }
        tbody th { min-width: 8rem } header td:nth-child(2) { min-width: 19rem } article td:nth-child(3) { white-space: nowrap }
        thead tr { border: 0; color: var(--soft); font-size: .8125rem }
        tr:target { background: var(--mark); box-shadow: -.5rem 0 var(--mark), .5rem 0 var(--mark) }
        article:target h3 { text-decoration: underline .2em var(--link); text-underline-offset: .25em }
        figure { position: relative; background: var(--code); color: var(--ink); border-radius: .625rem; overflow: hidden }
        figcaption, figure summary { padding: .5rem 5rem .5rem 1rem; color: var(--dim); font-size: .8125rem; line-height: 1.5rem }
        pre { margin: 0; padding: 0 1rem .875rem; font-size: .8125rem; line-height: 1.6; white-space: pre-wrap }
        pre[tabindex] { white-space: pre; overflow: auto; max-height: 40rem }
        button { position: absolute; top: .5rem; right: .5rem; padding: 0 .625rem; font: .8125rem/1.5rem system-ui, sans-serif; color: var(--ink);
          background: none; border: 1px solid var(--dim); border-radius: .375rem; cursor: pointer }
        figure :focus-visible { outline-color: var(--ink) }
        @media (max-width: 40rem) {
          thead { position: absolute; clip-path: inset(50%) }
          tr { display: flex; flex-wrap: wrap; column-gap: .75rem; padding: .5rem 0 }
          th, header td:nth-child(n), td { padding: 0; min-width: 0 }
          th, td:last-child { flex-basis: 100% }
        }
        @media (min-width: 62rem) {
          body { display: grid; grid-template-columns: 18rem minmax(0, 1fr) }
          nav { position: sticky; top: 0; height: 100vh; overflow: auto; border: 0; border-right: 1px solid var(--line) }
          nav summary { display: none }
          nav details::details-content { content-visibility: visible; display: block }
          main > * { padding: 3rem; max-width: 96rem }
        }
        @media (min-width: 84rem) {
          article:not(.model), div:has(> .model) { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 3rem; align-items: start }
          article figure:first-child { margin: 0 }
        }
        @media print {
          nav, .skip, button, main::after { display: none }
          [hidden] { display: revert !important }
          article { content-visibility: visible }
          details::details-content { content-visibility: visible; display: block }
          figure, pre[tabindex] { color: #000; background: none; border: 1px solid; white-space: pre-wrap; max-height: none; overflow: visible }
          figcaption, figure summary { color: #000 }
        }
        """

    /// Filters and copies; the page is complete without it.
    static let script = #"""
        "use strict";
        const all = (selector, element = document) => [...element.querySelectorAll(selector)];
        const input = document.querySelector("input"), status = document.querySelector("[role=status]");
        const entries = new Map(), links = new Map(all("nav a").map(link => [link.hash, link.parentElement]));
        for (const element of all("article")) {
          entries.set("#" + element.id, {
            element, isModel: element.className === "model",
            text: all("h3, p, tbody th", element).map(part => part.textContent).join("\n").toLowerCase(),
            models: all("[href^='#model-']", element).map(link => link.hash) });
        }
        const endpoints = [...entries.values()].filter(entry => !entry.isModel);
        function reached(entry) {
          if (entry.reached) return entry.reached;
          const found = new Set(entry.models);
          for (const hash of found) entries.get(hash)?.models.forEach(model => found.add(model));
          return entry.reached = [...found];
        }
        function filter() {
          const words = input.value.toLowerCase().split(/\s+/).filter(word => word), shown = new Set();
          const holders = words.map(word => new Set([...entries].filter(([, entry]) => entry.text.includes(word)).map(([hash]) => hash)));
          let count = 0;
          for (const entry of endpoints) {
            const hashes = ["#" + entry.element.id, ...reached(entry)];
            if (!holders.every(holder => hashes.some(hash => holder.has(hash)))) continue;
            count += 1;
            hashes.forEach(hash => shown.add(hash));
          }
          for (const [hash, entry] of entries) {
            const isHidden = words.length > 0 && !shown.has(hash);
            entry.element.hidden = isHidden;
            if (links.has(hash)) links.get(hash).hidden = isHidden;
          }
          for (const section of all("main > section, nav li:has(li)")) section.hidden = !section.querySelector("article:not([hidden]), li:not([hidden])");
          document.querySelector("header").hidden = words.length > 0;
          scrollTo(0, 0);
          status.textContent = words.length ? `${count} of ${endpoints.length} endpoints` : `${endpoints.length} endpoints`;
        }
        function reveal() {
          const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
          if (!target?.closest("[hidden]")) return;
          input.value = "";
          filter();
          target.scrollIntoView();
        }
        for (const figure of all("figure")) {
          const button = figure.appendChild(document.createElement("button")), text = figure.querySelector("pre");
          const name = `Copy ${figure.querySelector("figcaption, summary").textContent} ${figure.closest("article")?.id ?? ""}`;
          button.textContent = "Copy";
          button.ariaLabel = name;
          button.onclick = async () => {
            getSelection().selectAllChildren(text);
            try { await navigator.clipboard.writeText(text.textContent) } catch { return }
            button.textContent = button.ariaLabel = "Copied";
            setTimeout(() => { button.textContent = "Copy"; button.ariaLabel = name }, 2000);
          };
        }
        input.closest("[hidden]").hidden = false;
        input.oninput = filter;
        onhashchange = reveal;
        """#
}
