"use strict";
// Run first in a report by test_chromium.py: uses the page as a reader would, and leaves what it saw in the DOM.
(() => {
  const seen = { violations: [], errors: [] };
  document.addEventListener("securitypolicyviolation", (event) =>
    seen.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  addEventListener("error", (event) => seen.errors.push(String(event.message)));

  const colour = (text) => {
    const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
    const [r, g, b, a = 1] = text.startsWith("color(srgb") ? [...numbers.slice(0, 3).map((n) => n * 255), ...numbers.slice(3)] : numbers;
    return [r, g, b, text === "transparent" ? 0 : a];
  };
  const over = (top, below) => top.slice(0, 3).map((value, place) => value * top[3] + below[place] * (1 - top[3]));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const layer = colour(getComputedStyle(at).backgroundColor);
      layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const contrasts = () => {
    const low = [];
    for (const element of document.querySelectorAll("body *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!own || !element.checkVisibility() || ["SCRIPT", "STYLE", "title"].includes(element.tagName)) continue;
      const style = getComputedStyle(element);
      const paper = behind(element);
      const ink = over(colour(element instanceof SVGElement ? style.fill : style.color), paper);
      const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) low.push(`${element.tagName}.${element.getAttribute("class")} ${ratio.toFixed(2)} ${element.textContent.slice(0, 30)}`);
    }
    return low;
  };
  const painted = () =>
    [...document.querySelectorAll(".canvas canvas")].some((canvas) =>
      canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value));
  const pictureTexts = () =>
    [...document.querySelectorAll("figure svg text")]
      .filter((text) => text.checkVisibility())
      .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
  // Captions of which a part is not seen, with the table at its left end and at its right end.
  const cutCaptions = () => {
    const cut = [];
    for (const caption of document.querySelectorAll("caption")) {
      if (!caption.checkVisibility()) continue;
      const frame = caption.closest(".scroll");
      for (const place of [0, frame.scrollWidth]) {
        frame.scrollLeft = place;
        const words = document.createRange();
        words.selectNodeContents(caption);
        const [seen, whole] = [words.getBoundingClientRect(), frame.getBoundingClientRect()];
        if (seen.left < whole.left - 1 || seen.right > whole.right + 1) cut.push(`${place} ${caption.textContent.slice(0, 40)}`);
      }
      frame.scrollLeft = 0;
    }
    return cut;
  };
  const labels = () => {
    const drawing = [...document.querySelectorAll(".canvas")].map((canvas) => canvas._cyreg?.cy).find(Boolean);
    if (!drawing) return null;
    const node = drawing.nodes(":visible").first();
    return {
      behind: parseFloat(node.style("text-background-opacity")), room: parseFloat(node.style("text-background-padding")),
      level: drawing.edges().every((edge) => edge.style("z-index") <= node.style("z-index")),
    };
  };
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  addEventListener("load", async () => {
    await wait(300);
    seen.painted = painted();
    seen.drawn = [...document.querySelectorAll(".canvas")].map((canvas) => canvas.dataset.drawn ?? "");
    seen.pictureTexts = pictureTexts();
    seen.heading = parseFloat(getComputedStyle(document.querySelector("h2")).fontSize);
    seen.cutCaptions = cutCaptions();
    seen.labels = labels();
    seen.wide = document.documentElement.scrollWidth > innerWidth;
    seen.contrast = { system: contrasts() };
    const theme = document.getElementById("theme");
    for (const name of ["light", "dark"]) {
      theme.click();
      await wait(50);
      seen.contrast[name] = contrasts();
    }
    const table = document.querySelector("table.sortable");
    const head = [...table.tHead.rows[0].cells].find((cell) => cell.classList.contains("n") && cell.querySelector("button"));
    const column = () => [...table.tBodies[0].rows].map((row) => row.cells[head.cellIndex].textContent);
    head.querySelector("button").click();
    seen.down = { sort: head.getAttribute("aria-sort"), column: column() };
    head.querySelector("button").click();
    seen.up = { sort: head.getAttribute("aria-sort"), column: column(), said: document.getElementById("said").textContent };
    const field = document.querySelector(".filter input");
    field.value = "Q3";
    field.dispatchEvent(new Event("input"));
    const rows = [...document.getElementById(field.dataset.table).tBodies[0].rows];
    seen.filtered = rows.filter((row) => !row.hidden).map((row) => row.cells[0].textContent);
    const folded = document.getElementById("query-2");
    if (folded) {
      location.hash = "#query-2";
      await wait(300);
      seen.opened = folded.open;
      seen.drawnLater = folded.querySelector(".canvas").dataset.drawn;
    }
    const left = document.createElement("pre");
    left.id = "probe";
    left.textContent = JSON.stringify(seen);
    document.body.append(left);
  });
})();
