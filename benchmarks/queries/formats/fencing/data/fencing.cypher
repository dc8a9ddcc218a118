// swiss fencing graph, seed data
// run with: cypher-shell -f fencing.cypher
// TODO: wheelchair categories, team events

CREATE CONSTRAINT fencer_licence IF NOT EXISTS FOR (f:Fencer) REQUIRE f.licenceNo IS UNIQUE;
CREATE INDEX tournament_start IF NOT EXISTS FOR (t:Tournament) ON (t.startDate);


// ---- weapons
MERGE (foil:Weapon {name: 'Foil', code: 'F', targetArea: 'torso'})
MERGE (epee:Weapon {name: 'Epee', code: 'E', targetArea: 'whole body'})
MERGE (sabre:Weapon {name: 'Sabre', code: 'S', targetArea: 'above the waist'})

// ---- venues
CREATE (sporthalleHardauWest:Venue {name: 'Sporthalle Hardau West', city: 'Zürich', pistes: 18, seats: 900})
CREATE (salleDesArmesVidy:Venue {name: 'Salle des Armes Vidy', city: 'Lausanne', pistes: 14, seats: 400})
CREATE (mehrzweckhalleRosenau:Venue {name: 'Mehrzweckhalle Rosenau', city: 'Zofingen', pistes: 10})
CREATE (palestraAlMaglio:Venue {name: 'Palestra al Maglio', city: 'Lugano', pistes: 12, seats: 350})
CREATE (centreSportifDuBoutDuLac:Venue {name: 'Centre Sportif du Bout-du-Lac', city: 'Genève', pistes: 24, seats: 1500})
CREATE (turnhalleSpitalacker:Venue {name: 'Turnhalle Spitalacker', city: 'Bern', pistes: 8, seats: 200})
CREATE (hallePolyvalenteDelemont:Venue {name: 'Halle Polyvalente Delémont', city: 'Delémont', pistes: 12, seats: 650})
CREATE (kreuzbleicheNord:Venue {name: 'Kreuzbleiche Nord', city: 'St. Gallen', pistes: 16, seats: 800})
CREATE (salleDuVieuxMoulin:Venue {name: 'Salle du Vieux-Moulin', city: 'Sion', pistes: 9})
CREATE (wartegghalle:Venue {name: 'Wartegghalle', city: 'Luzern', pistes: 11, seats: 300})
CREATE (joggeliFechtzentrum:Venue {name: 'Joggeli Fechtzentrum', city: 'Basel', pistes: 20, seats: 1100})
CREATE (laMaladiereB:Venue {name: 'La Maladière B', city: 'Neuchâtel', pistes: 13, seats: 500})
CREATE (sportzentrumGrundenmoos2:Venue {name: 'Sportzentrum Gründenmoos 2', city: 'St. Gallen', pistes: 6, seats: 150})

// ---- clubs
CREATE (fechtclubLimmattal:Club {name: 'Fechtclub Limmattal', shortName: 'FCL', city: 'Zürich', canton: 'ZH', founded: 1934, members: 171, wheelchairFencing: false})
CREATE (societeDEscrimeDeVidy:Club {name: "Société d'Escrime de Vidy", shortName: 'SEV', city: 'Lausanne', canton: 'VD', founded: 1908, wheelchairFencing: false})
CREATE (fechtgesellschaftZofingen:Club {name: 'Fechtgesellschaft Zofingen', shortName: 'FGZ', city: 'Zofingen', canton: 'AG', founded: 1951, members: 214, wheelchairFencing: false})
CREATE (circoloSchermaCeresio:Club {name: 'Circolo Scherma Ceresio', shortName: 'CSC', city: 'Lugano', canton: 'TI', founded: 1947, members: 154, wheelchairFencing: true})
CREATE (cercleDArmesDeCarouge:Club {name: "Cercle d'Armes de Carouge", shortName: 'CAC', city: 'Genève', canton: 'GE', founded: 1891, members: 227, wheelchairFencing: true})
CREATE (fechtclubBarengraben:Club {name: 'Fechtclub Bärengraben', shortName: 'FBB', city: 'Bern', canton: 'BE', founded: 1962, members: 124, wheelchairFencing: true})
CREATE (escrimeDelemont:Club {name: 'Escrime Delémont', shortName: 'ED', city: 'Delémont', canton: 'JU', founded: 1978, members: 82, wheelchairFencing: true})
CREATE (fechtclubGallus:Club {name: 'Fechtclub Gallus', shortName: 'FCG', city: 'St. Gallen', canton: 'SG', founded: 1956, members: 129, wheelchairFencing: false})
CREATE (lesLamesDeSion:Club {name: 'Les Lames de Sion', shortName: 'LLS', city: 'Sion', canton: 'VS', founded: 1983, wheelchairFencing: false})
CREATE (fechtkellerLuzern:Club {name: 'Fechtkeller Luzern', shortName: 'FKL', city: 'Luzern', canton: 'LU', founded: 1971, members: 140, wheelchairFencing: true})
CREATE (baslerFechtgilde:Club {name: 'Basler Fechtgilde', shortName: 'BFG', city: 'Basel', canton: 'BS', founded: 1902, members: 103, wheelchairFencing: false})
CREATE (neuchatelEscrime:Club {name: 'Neuchâtel Escrime', shortName: 'NE', city: 'Neuchâtel', canton: 'NE', founded: 1929, wheelchairFencing: false})
CREATE (degenclubSantis:Club {name: 'Degenclub Säntis', shortName: 'DCS', city: 'St. Gallen', canton: 'SG', founded: 2009, members: 181, wheelchairFencing: false})
CREATE (schermaMendrisio:Club {name: 'Scherma Mendrisio', shortName: 'SM', city: 'Mendrisio', canton: 'TI', founded: 1998, members: 137, wheelchairFencing: false})

// ---- fencers
CREATE (maraHofstetter:Fencer {name: 'Mara Hofstetter', licenceNo: 'SF-1003', born: date('1986-02-20'), sex: 'f', heightCm: 165, rankingPoints: 1181, active: true})
CREATE (darioFankhauser:Fencer {name: 'Dario Fankhauser', licenceNo: 'SF-1010', born: date('2004-04-24'), sex: 'm', hand: 'right', heightCm: 172, rankingPoints: 580, active: true})
CREATE (joelleHasler:Fencer {name: 'Joëlle Hasler', licenceNo: 'SF-1017', born: date('1995-10-23'), sex: 'f', hand: 'left', heightCm: 159, active: true})
CREATE (robinSchaller:Fencer:NationalTeamMember {name: 'Robin Schaller', licenceNo: 'SF-1024', born: date('2003-09-20'), sex: 'm', hand: 'right', active: true})
CREATE (ilariaMuhlemann:Fencer {name: 'Ilaria Mühlemann', licenceNo: 'SF-1031', born: date('1990-08-31'), sex: 'f', hand: 'right', rankingPoints: 1371, active: true})
CREATE (beatLuscher:Fencer:NationalTeamMember {name: 'Beat Lüscher', licenceNo: 'SF-1038', born: date('1987-12-25'), sex: 'm', hand: 'right', heightCm: 174, rankingPoints: 265, active: true})
CREATE (mafaldaKaufmann:Fencer {name: 'Mafalda Kaufmann', licenceNo: 'SF-1045', born: date('2002-03-20'), sex: 'f', hand: 'right', heightCm: 178, rankingPoints: 1457, active: false})
CREATE (maximeCorminboeuf:Fencer {name: 'Maxime Corminboeuf', licenceNo: 'SF-1052', born: date('1990-01-21'), sex: 'm', heightCm: 176, rankingPoints: 470, active: true})
CREATE (ramonaCrivelli:Fencer {name: 'Ramona Crivelli', licenceNo: 'SF-1059', born: date('1991-03-30'), sex: 'f', hand: 'right', heightCm: 170, rankingPoints: 315, active: true})
CREATE (christophKaser:Fencer {name: 'Christoph Käser', licenceNo: 'SF-1066', born: date('2004-07-26'), sex: 'm', hand: 'right', heightCm: 194, rankingPoints: 34, active: false})
CREATE (tessaBachofner:Fencer:NationalTeamMember {name: 'Tessa Bachofner', licenceNo: 'SF-1073', born: date('1999-09-26'), sex: 'f', hand: 'right', heightCm: 175, active: true})
CREATE (fabioPiguet:Fencer {name: 'Fabio Piguet', licenceNo: 'SF-1080', born: date('1999-09-11'), sex: 'm', hand: 'left', heightCm: 186, rankingPoints: 901, active: true})
CREATE (laureNyffeler:Fencer:NationalTeamMember {name: 'Laure Nyffeler', licenceNo: 'SF-1087', born: date('1989-11-10'), sex: 'f', hand: 'left', heightCm: 162, rankingPoints: 1293, active: true})
CREATE (theoEgli:Fencer {name: 'Théo Egli', licenceNo: 'SF-1094', born: date('1986-09-24'), sex: 'm', hand: 'right', heightCm: 177, active: true})
CREATE (oliviaBongard:Fencer {name: 'Olivia Bongard', licenceNo: 'SF-1101', born: date('2002-01-03'), sex: 'f', hand: 'right', rankingPoints: 1049, active: true})
CREATE (jonasMoret:Fencer {name: 'Jonas Moret', licenceNo: 'SF-1108', born: date('2005-04-07'), sex: 'm', hand: 'right', heightCm: 192, rankingPoints: 867, active: true})
CREATE (ninaRochat:Fencer {name: 'Nina Rochat', licenceNo: 'SF-1115', born: date('2001-03-13'), sex: 'f', hand: 'left', rankingPoints: 1125, active: true})
CREATE (noahMarti:Fencer {name: 'Noah Marti', licenceNo: 'SF-1122', born: date('1989-04-20'), sex: 'm', hand: 'right', rankingPoints: 857, active: true})
CREATE (delphineWenger:Fencer {name: 'Delphine Wenger', licenceNo: 'SF-1129', born: date('1989-08-04'), sex: 'f', heightCm: 168, active: true})
CREATE (larsRappaz:Fencer:NationalTeamMember {name: 'Lars Rappaz', licenceNo: 'SF-1136', born: date('1992-11-28'), sex: 'm', hand: 'left', heightCm: 172, rankingPoints: 1220, active: true})
CREATE (sofieMauron:Fencer {name: 'Sofie Mauron', licenceNo: 'SF-1143', born: date('1999-01-22'), sex: 'f', hand: 'right', heightCm: 178, rankingPoints: 360, active: true})
CREATE (lorenzoJoller:Fencer {name: 'Lorenzo Joller', licenceNo: 'SF-1150', born: date('2007-11-01'), sex: 'm', hand: 'right', heightCm: 174, rankingPoints: 387, active: true})
CREATE (valentinaFluckiger:Fencer {name: 'Valentina Flückiger', licenceNo: 'SF-1157', born: date('1992-11-03'), sex: 'f', hand: 'left', rankingPoints: 599, active: true})
CREATE (bastienGiroud:Fencer {name: 'Bastien Giroud', licenceNo: 'SF-1164', sex: 'm', heightCm: 190, rankingPoints: 1048, active: true})
CREATE (salomeBieri:Fencer:Referee {name: 'Salome Bieri', licenceNo: 'SF-1171', born: date('1995-03-21'), sex: 'f', hand: 'right', heightCm: 175, rankingPoints: 365, active: true, refereeLevel: 'national'})
CREATE (joelJegerlehner:Fencer {name: 'Joël Jegerlehner', licenceNo: 'SF-1178', born: date('1987-03-21'), sex: 'm', hand: 'right', heightCm: 175, rankingPoints: 1261, active: true})
CREATE (flaviaHuguenin:Fencer {name: 'Flavia Huguenin', licenceNo: 'SF-1185', born: date('1999-03-26'), sex: 'f', hand: 'right', heightCm: 169, rankingPoints: 932, active: true})
CREATE (janOberholzer:Fencer:Referee {name: 'Jan Oberholzer', licenceNo: 'SF-1192', born: date('1991-04-03'), sex: 'm', hand: 'left', rankingPoints: 264, active: true, refereeLevel: 'regional'})
CREATE (lorenaPittet:Fencer:NationalTeamMember {name: 'Lorena Pittet', licenceNo: 'SF-1199', born: date('2006-03-19'), sex: 'f', hand: 'right', rankingPoints: 532, active: true})
CREATE (nandoMaillard:Fencer:NationalTeamMember {name: 'Nando Maillard', licenceNo: 'SF-1206', born: date('1996-03-18'), sex: 'm', hand: 'right', heightCm: 201, rankingPoints: 1241, active: true})
CREATE (elinBurkhalter:Fencer:NationalTeamMember {name: 'Elin Burkhalter', licenceNo: 'SF-1213', born: date('1998-09-26'), sex: 'f', hand: 'right', heightCm: 165, active: true})
CREATE (adrianInabnit:Fencer {name: 'Adrian Inäbnit', licenceNo: 'SF-1220', born: date('1995-04-19'), sex: 'm', hand: 'right', heightCm: 195, active: false})
CREATE (ladinaRegazzoni:Fencer {name: 'Ladina Regazzoni', licenceNo: 'SF-1227', born: date('1986-09-08'), sex: 'f', hand: 'right', rankingPoints: 776, active: true})
CREATE (lucaSchnyder:Fencer {name: 'Luca Schnyder', licenceNo: 'SF-1234', born: date('1990-11-19'), sex: 'm', hand: 'right', heightCm: 198, rankingPoints: 174, active: true})
CREATE (anaisVuilleumier:Fencer {name: 'Anaïs Vuilleumier', licenceNo: 'SF-1241', born: date('2005-01-01'), sex: 'f', hand: 'right', rankingPoints: 176, active: true})
CREATE (loicSporri:Fencer {name: 'Loïc Spörri', licenceNo: 'SF-1248', born: date('1990-09-02'), sex: 'm', hand: 'right', heightCm: 175, rankingPoints: 346, active: true})
CREATE (tabeaGalli:Fencer:Referee {name: 'Tabea Galli', licenceNo: 'SF-1255', born: date('1996-11-18'), sex: 'f', heightCm: 181, rankingPoints: 217, active: true, refereeLevel: 'regional'})
CREATE (nicolaGerber:Fencer {name: 'Nicola Gerber', licenceNo: 'SF-1262', born: date('1993-04-03'), sex: 'm', heightCm: 190, active: true})
CREATE (alinaRossier:Fencer {name: 'Alina Rossier', licenceNo: 'SF-1269', born: date('1997-06-05'), sex: 'f', hand: 'right', heightCm: 182, rankingPoints: 1351, active: true})
CREATE (olivierTschanz:Fencer {name: 'Olivier Tschanz', licenceNo: 'SF-1276', born: date('1997-03-22'), sex: 'm', hand: 'right', heightCm: 200, rankingPoints: 318, active: true})
CREATE (fabienneGygax:Fencer {name: 'Fabienne Gygax', licenceNo: 'SF-1283', born: date('2004-03-11'), sex: 'f', hand: 'right', heightCm: 175, rankingPoints: 814, active: true})
CREATE (kilianFerrari:Fencer {name: 'Kilian Ferrari', licenceNo: 'SF-1290', born: date('1990-10-27'), sex: 'm', hand: 'right', heightCm: 185, rankingPoints: 415, active: true})
CREATE (leonieKunzle:Fencer {name: 'Leonie Künzle', licenceNo: 'SF-1297', born: date('2007-02-12'), sex: 'f', hand: 'right', heightCm: 173, rankingPoints: 1405, active: true})
CREATE (retoMonnard:Fencer:NationalTeamMember {name: 'Reto Monnard', licenceNo: 'SF-1304', born: date('2005-10-20'), sex: 'm', hand: 'right', heightCm: 184, rankingPoints: 1127, active: true})
CREATE (chiaraWuthrich:Fencer {name: 'Chiara Wüthrich', licenceNo: 'SF-1311', sex: 'f', hand: 'right', heightCm: 176, rankingPoints: 1043, active: true})
CREATE (alessioChappuis:Fencer {name: 'Alessio Chappuis', licenceNo: 'SF-1318', born: date('2004-08-14'), sex: 'm', heightCm: 176, rankingPoints: 42, active: true})
CREATE (zoeAmmann:Fencer:Referee {name: 'Zoé Ammann', licenceNo: 'SF-1325', born: date('1994-09-18'), sex: 'f', hand: 'left', heightCm: 168, active: true, refereeLevel: 'national'})
CREATE (timGrob:Fencer {name: 'Tim Grob', licenceNo: 'SF-1332', born: date('1999-07-14'), sex: 'm', hand: 'right', heightCm: 191, active: true})
CREATE (liviaRuegg:Fencer {name: 'Livia Rüegg', licenceNo: 'SF-1339', born: date('1996-06-04'), sex: 'f', hand: 'right', heightCm: 169, active: true})
CREATE (jeromeGuidotti:Fencer {name: 'Jérôme Guidotti', licenceNo: 'SF-1346', born: date('1997-08-21'), sex: 'm', hand: 'right', heightCm: 178, rankingPoints: 1322, active: true})
CREATE (romaneHefti:Fencer {name: 'Romane Hefti', licenceNo: 'SF-1353', born: date('1994-09-03'), sex: 'f', hand: 'right', heightCm: 177, rankingPoints: 913, active: true})
CREATE (andrinThommen:Fencer {name: 'Andrin Thommen', licenceNo: 'SF-1360', born: date('1988-01-29'), sex: 'm', rankingPoints: 987, active: true})
CREATE (noemieSulzer:Fencer:NationalTeamMember {name: 'Noémie Sulzer', licenceNo: 'SF-1367', born: date('1999-05-22'), sex: 'f', hand: 'right', heightCm: 164, rankingPoints: 430, active: true})
CREATE (cedricDarbellay:Fencer {name: 'Cédric Darbellay', licenceNo: 'SF-1374', born: date('2006-10-21'), sex: 'm', active: false})
CREATE (carlaCattaneo:Fencer:NationalTeamMember {name: 'Carla Cattaneo', licenceNo: 'SF-1381', born: date('1994-11-02'), sex: 'f', hand: 'right', heightCm: 167, rankingPoints: 611, active: true})
CREATE (silvanPfenninger:Fencer {name: 'Silvan Pfenninger', licenceNo: 'SF-1388', born: date('1996-10-02'), sex: 'm', hand: 'right', heightCm: 179, rankingPoints: 1255, active: true})
CREATE (janaGenoud:Fencer {name: 'Jana Genoud', licenceNo: 'SF-1395', born: date('1990-01-06'), sex: 'f', hand: 'right', heightCm: 169, active: true})
CREATE (mathieuKohli:Fencer {name: 'Mathieu Kohli', licenceNo: 'SF-1402', born: date('2007-09-30'), sex: 'm', hand: 'right', heightCm: 177, rankingPoints: 1377, active: true})
CREATE (melanieZurbriggen:Fencer {name: 'Mélanie Zurbriggen', licenceNo: 'SF-1409', born: date('1995-01-12'), sex: 'f', hand: 'right', rankingPoints: 582, active: true})
CREATE (valentinJaquet:Fencer:NationalTeamMember {name: 'Valentin Jaquet', licenceNo: 'SF-1416', born: date('2003-01-12'), sex: 'm', hand: 'right', heightCm: 199, rankingPoints: 1364, active: true})
CREATE (sarinaBaumgartner:Fencer {name: 'Sarina Baumgartner', licenceNo: 'SF-1423', sex: 'f', hand: 'left', heightCm: 180, rankingPoints: 555, active: true})
CREATE (samuelSavary:Fencer {name: 'Samuel Savary', licenceNo: 'SF-1430', born: date('1992-04-09'), sex: 'm', hand: 'right', rankingPoints: 927, active: true})
CREATE (selinaAebischer:Fencer {name: 'Selina Aebischer', licenceNo: 'SF-1437', born: date('2004-10-02'), sex: 'f', hand: 'right', heightCm: 166, rankingPoints: 1205, active: false})
CREATE (eliaStadelmann:Fencer {name: 'Elia Stadelmann', licenceNo: 'SF-1444', born: date('1992-12-16'), sex: 'm', hand: 'right', heightCm: 181, rankingPoints: 917, active: true})
CREATE (jessicaPedrazzini:Fencer {name: 'Jessica Pedrazzini', licenceNo: 'SF-1451', born: date('1987-05-03'), sex: 'f', hand: 'right', heightCm: 164, rankingPoints: 1207, active: false})
CREATE (benoitDubach:Fencer {name: 'Benoît Dubach', licenceNo: 'SF-1458', sex: 'm', hand: 'right', heightCm: 186, rankingPoints: 108, active: true})
CREATE (elisaRohner:Fencer {name: 'Elisa Rohner', licenceNo: 'SF-1465', born: date('1989-07-07'), sex: 'f', hand: 'left', rankingPoints: 1235, active: true})
CREATE (gregoryFavrod:Fencer:NationalTeamMember {name: 'Grégory Favrod', licenceNo: 'SF-1472', born: date('2000-07-28'), sex: 'm', hand: 'right', heightCm: 169, rankingPoints: 22, active: true})
CREATE (yaraQuadri:Fencer {name: 'Yara Quadri', licenceNo: 'SF-1479', born: date('1999-12-05'), sex: 'f', hand: 'right', heightCm: 172, rankingPoints: 19, active: true})
CREATE (nilsBugnon:Fencer {name: 'Nils Bugnon', licenceNo: 'SF-1486', born: date('1998-08-23'), sex: 'm', hand: 'right', active: true})
CREATE (celinePerrenoud:Fencer {name: 'Céline Perrenoud', licenceNo: 'SF-1493', born: date('1999-04-26'), sex: 'f', hand: 'left', active: true})
CREATE (leandroLeuenberger:Fencer {name: 'Leandro Leuenberger', licenceNo: 'SF-1500', born: date('2007-01-17'), sex: 'm', hand: 'left', heightCm: 182, active: true})
CREATE (miaBerset:Fencer {name: 'Mia Berset', licenceNo: 'SF-1507', born: date('1992-01-18'), sex: 'f', hand: 'right', heightCm: 175, rankingPoints: 1238, active: true})
CREATE (gianGasser:Fencer {name: 'Gian Gasser', licenceNo: 'SF-1514', born: date('1999-01-28'), sex: 'm', hand: 'right', rankingPoints: 1257, active: true})
CREATE (naomiSigrist:Fencer {name: 'Naomi Sigrist', licenceNo: 'SF-1521', born: date('1998-09-13'), sex: 'f', hand: 'right', heightCm: 160, rankingPoints: 1310, active: true})
CREATE (florianHenchoz:Fencer {name: 'Florian Henchoz', licenceNo: 'SF-1528', born: date('1991-06-01'), sex: 'm', hand: 'right', heightCm: 199, rankingPoints: 680, active: true})
CREATE (louFrei:Fencer {name: 'Lou Frei', licenceNo: 'SF-1535', born: date('1994-07-22'), sex: 'f', hand: 'right', heightCm: 167, rankingPoints: 755, active: true})
CREATE (damianZaugg:Fencer {name: 'Damian Zaugg', licenceNo: 'SF-1542', born: date('1994-11-21'), sex: 'm', hand: 'right', heightCm: 199, rankingPoints: 1420, active: true})
CREATE (paulineDelaloye:Fencer {name: 'Pauline Delaloye', licenceNo: 'SF-1549', born: date('1993-08-25'), sex: 'f', hand: 'right', heightCm: 159, rankingPoints: 309, active: true})
CREATE (tobiasEmery:Fencer {name: 'Tobias Emery', licenceNo: 'SF-1556', born: date('1997-04-03'), sex: 'm', hand: 'left', heightCm: 174, rankingPoints: 376, active: true})
CREATE (giuliaRickenbacher:Fencer:NationalTeamMember {name: 'Giulia Rickenbacher', licenceNo: 'SF-1563', born: date('2003-09-24'), sex: 'f', heightCm: 180, rankingPoints: 957, active: true})
CREATE (yannickZbinden:Fencer {name: 'Yannick Zbinden', licenceNo: 'SF-1570', born: date('1993-02-09'), sex: 'm', hand: 'right', heightCm: 197, active: true})
CREATE (veraKnecht:Fencer {name: 'Vera Knecht', licenceNo: 'SF-1577', born: date('2007-01-01'), sex: 'f', hand: 'right', heightCm: 176, rankingPoints: 1275, active: true})
CREATE (sandroClerc:Fencer {name: 'Sandro Clerc', licenceNo: 'SF-1584', born: date('1997-09-30'), sex: 'm', hand: 'left', heightCm: 181, active: true})
CREATE (leaNaef:Fencer:NationalTeamMember {name: 'Lea Naef', licenceNo: 'SF-1591', born: date('2004-07-30'), sex: 'f', hand: 'right', heightCm: 169, rankingPoints: 991, active: true})
CREATE (julienLombardi:Fencer {name: 'Julien Lombardi', licenceNo: 'SF-1598', born: date('1994-09-19'), sex: 'm', hand: 'right', heightCm: 178, rankingPoints: 458, active: false})
CREATE (xeniaBrunner:Fencer {name: 'Xenia Brunner', licenceNo: 'SF-1605', sex: 'f', hand: 'right', heightCm: 166, rankingPoints: 310, active: true})
CREATE (quentinGrandjean:Fencer {name: 'Quentin Grandjean', licenceNo: 'SF-1612', born: date('1995-09-21'), sex: 'm', heightCm: 201, rankingPoints: 1170, active: false})
CREATE (aurelieBlanchard:Fencer:NationalTeamMember {name: 'Aurélie Blanchard', licenceNo: 'SF-1619', born: date('1989-07-15'), sex: 'f', hand: 'right', heightCm: 172, rankingPoints: 792, active: true})
CREATE (pascalMeister:Fencer {name: 'Pascal Meister', licenceNo: 'SF-1626', born: date('1987-07-14'), sex: 'm', hand: 'right', heightCm: 187, rankingPoints: 1476, active: true})
CREATE (manonTanner:Fencer {name: 'Manon Tanner', licenceNo: 'SF-1633', born: date('2005-06-13'), sex: 'f', hand: 'right', heightCm: 175, rankingPoints: 142, active: true})
CREATE (yvesBernasconi:Fencer {name: 'Yves Bernasconi', licenceNo: 'SF-1640', born: date('1991-06-04'), sex: 'm', hand: 'right', active: false})
CREATE (maraFavrod:Fencer:NationalTeamMember {name: 'Mara Favrod', licenceNo: 'SF-1647', born: date('1998-09-21'), sex: 'f', hand: 'right', heightCm: 180, rankingPoints: 1312, active: true})
CREATE (emilGiroud:Fencer {name: 'Emil Giroud', licenceNo: 'SF-1654', born: date('2007-07-06'), sex: 'm', hand: 'left', rankingPoints: 986, active: true})
CREATE (joelleBrunner:Fencer:Referee {name: 'Joëlle Brunner', licenceNo: 'SF-1661', born: date('1988-02-01'), sex: 'f', hand: 'left', rankingPoints: 1095, active: true, refereeLevel: 'national'})
CREATE (cyrilQuadri:Fencer {name: 'Cyril Quadri', licenceNo: 'SF-1668', born: date('2003-10-22'), sex: 'm', heightCm: 175, rankingPoints: 1431, active: true})

// ---- coaches
CREATE (ildikoSzabados:Coach {name: 'Ildikó Szabados', nationality: 'HUN', diploma: 'C'})
CREATE (gerardMonnier:Coach {name: 'Gérard Monnier', nationality: 'SUI', hourlyFee: 85})
CREATE (sergeiDovzhenko:Coach {name: 'Sergei Dovzhenko', nationality: 'UKR', diploma: 'B', hourlyFee: 48})
CREATE (ursLanz:Coach:Referee {name: 'Urs Lanz', nationality: 'SUI', diploma: 'C', hourlyFee: 68, refereeLevel: 'international'})
CREATE (annemarieLutz:Coach {name: 'Annemarie Lutz', nationality: 'SUI', diploma: 'C'})
CREATE (paoloVisentin:Coach {name: 'Paolo Visentin', nationality: 'ITA', diploma: 'B', hourlyFee: 75})
CREATE (beatriceCollaud:Coach:Referee {name: 'Béatrice Collaud', nationality: 'SUI', diploma: 'B', hourlyFee: 53, refereeLevel: 'national'})
CREATE (jurgenHartwig:Coach {name: 'Jürgen Hartwig', nationality: 'GER', diploma: 'B', hourlyFee: 106})
CREATE (marekKopczynski:Coach {name: 'Marek Kopczyński', nationality: 'POL', diploma: 'B', hourlyFee: 42})
CREATE (florenceRebetez:Coach {name: 'Florence Rebetez', nationality: 'SUI', diploma: 'B', hourlyFee: 76})
CREATE (attilaVoros:Coach {name: 'Attila Vörös', nationality: 'HUN', diploma: 'C'})
CREATE (danielaKeller:Coach:Referee {name: 'Daniela Keller', nationality: 'SUI', diploma: 'A', hourlyFee: 88, refereeLevel: 'international'})
CREATE (olivierCuendet:Coach {name: 'Olivier Cuendet', nationality: 'SUI', diploma: 'A', hourlyFee: 111})
CREATE (krisztinaBarany:Coach {name: 'Krisztina Bárány', nationality: 'HUN', diploma: 'C', hourlyFee: 91})
CREATE (massimoFontana:Coach {name: 'Massimo Fontana', nationality: 'ITA'})
CREATE (philippeRoulin:Coach {name: 'Philippe Roulin', nationality: 'FRA', diploma: 'B', hourlyFee: 89})

// ---- referees
CREATE (hansruediStockli:Referee {name: 'Hansruedi Stöckli', refereeLevel: 'regional', licensedSince: 2012})
CREATE (madeleineChristinat:Referee {name: 'Madeleine Christinat', refereeLevel: 'national', licensedSince: 2013})
CREATE (faustoBianchetti:Referee {name: 'Fausto Bianchetti', refereeLevel: 'national'})
CREATE (ruthEichenberger:Referee {name: 'Ruth Eichenberger', refereeLevel: 'regional', licensedSince: 2000})
CREATE (jeanMarcDuvoisin:Referee {name: 'Jean-Marc Duvoisin', refereeLevel: 'regional', licensedSince: 1995})
CREATE (corinaCaduff:Referee {name: 'Corina Caduff', refereeLevel: 'national', licensedSince: 2012})
CREATE (thierryNoverraz:Referee {name: 'Thierry Noverraz', refereeLevel: 'national', licensedSince: 2010})
CREATE (stefanOdermatt:Referee {name: 'Stefan Odermatt', refereeLevel: 'regional', licensedSince: 2011})

// ---- tournaments
CREATE (coupeDuLeman2020:Tournament {name: 'Coupe du Léman 2020', gender: 'women', startDate: date('2020-02-14'), endDate: date('2020-02-16'), prizeMoney: 5050, entryFee: 30, internationalEntry: false})
CREATE (coupeDuLeman2023:Tournament {name: 'Coupe du Léman 2023', gender: 'women', startDate: date('2023-02-18'), endDate: date('2023-02-19'), prizeMoney: 900, entryFee: 50, internationalEntry: false})
CREATE (coupeDuLeman2024:Tournament {name: 'Coupe du Léman 2024', gender: 'women', startDate: date('2024-02-04'), endDate: date('2024-02-04'), prizeMoney: 2500, entryFee: 45, internationalEntry: false})
CREATE (limmatCup2020:Tournament {name: 'Limmat Cup 2020', gender: 'men', startDate: date('2020-03-11'), endDate: date('2020-03-13'), prizeMoney: 1300, entryFee: 40, internationalEntry: false})
CREATE (limmatCup2022:Tournament {name: 'Limmat Cup 2022', gender: 'men', startDate: date('2022-03-10'), endDate: date('2022-03-12'), prizeMoney: 4450, entryFee: 35, internationalEntry: true})
CREATE (limmatCup2024:Tournament {name: 'Limmat Cup 2024', gender: 'men', startDate: date('2024-03-10'), endDate: date('2024-03-12'), prizeMoney: 1550, entryFee: 30, internationalEntry: false})
CREATE (zofingerDegenturnier2021:Tournament {name: 'Zofinger Degenturnier 2021', gender: 'men', startDate: date('2021-09-20'), endDate: date('2021-09-20'), prizeMoney: 1250, internationalEntry: false})
CREATE (zofingerDegenturnier2023:Tournament {name: 'Zofinger Degenturnier 2023', gender: 'men', startDate: date('2023-09-23'), endDate: date('2023-09-24'), entryFee: 45, internationalEntry: false})
CREATE (trofeoDelCeresio2020:Tournament {name: 'Trofeo del Ceresio 2020', gender: 'women', startDate: date('2020-05-08'), endDate: date('2020-05-09'), prizeMoney: 3850, entryFee: 40, internationalEntry: false})
CREATE (trofeoDelCeresio2022:Tournament {name: 'Trofeo del Ceresio 2022', gender: 'women', startDate: date('2022-05-03'), endDate: date('2022-05-05'), entryFee: 35, internationalEntry: false})
CREATE (trofeoDelCeresio2024:Tournament {name: 'Trofeo del Ceresio 2024', gender: 'women', startDate: date('2024-05-03'), endDate: date('2024-05-03'), prizeMoney: 4600, entryFee: 30, internationalEntry: false})
CREATE (challengeDeLEscalade2021:Tournament {name: "Challenge de l'Escalade 2021", gender: 'men', startDate: date('2021-12-17'), endDate: date('2021-12-18'), prizeMoney: 2300, entryFee: 30, internationalEntry: false})
CREATE (challengeDeLEscalade2022:Tournament {name: "Challenge de l'Escalade 2022", gender: 'men', startDate: date('2022-12-15'), endDate: date('2022-12-16'), prizeMoney: 3250, entryFee: 40, internationalEntry: false})
CREATE (challengeDeLEscalade2023:Tournament {name: "Challenge de l'Escalade 2023", gender: 'men', startDate: date('2023-12-19'), endDate: date('2023-12-20'), prizeMoney: 4750, entryFee: 40, internationalEntry: true})
CREATE (barencup2020:Tournament {name: 'Bärencup 2020', gender: 'men', startDate: date('2020-10-24'), endDate: date('2020-10-26'), prizeMoney: 1800, entryFee: 45, internationalEntry: false})
CREATE (barencup2022:Tournament {name: 'Bärencup 2022', gender: 'men', startDate: date('2022-10-17'), endDate: date('2022-10-18'), entryFee: 40, internationalEntry: true})
CREATE (gallusTurnier2020:Tournament {name: 'Gallus-Turnier 2020', gender: 'women', startDate: date('2020-11-15'), endDate: date('2020-11-15'), prizeMoney: 6350, entryFee: 50, internationalEntry: false})
CREATE (gallusTurnier2021:Tournament {name: 'Gallus-Turnier 2021', gender: 'women', startDate: date('2021-11-19'), endDate: date('2021-11-20'), prizeMoney: 5800, entryFee: 40, internationalEntry: false})
CREATE (gallusTurnier2023:Tournament {name: 'Gallus-Turnier 2023', gender: 'women', startDate: date('2023-11-22'), endDate: date('2023-11-23'), prizeMoney: 3750, entryFee: 40, internationalEntry: false})
CREATE (baslerGildenpreis2020:Tournament {name: 'Basler Gildenpreis 2020', gender: 'women', startDate: date('2020-04-18'), endDate: date('2020-04-20'), prizeMoney: 4150, entryFee: 35, internationalEntry: false})
CREATE (baslerGildenpreis2021:Tournament {name: 'Basler Gildenpreis 2021', gender: 'women', startDate: date('2021-04-06'), endDate: date('2021-04-06'), prizeMoney: 2850, internationalEntry: true})
CREATE (baslerGildenpreis2023:Tournament {name: 'Basler Gildenpreis 2023', gender: 'women', startDate: date('2023-04-14'), endDate: date('2023-04-15'), prizeMoney: 4400, entryFee: 35, internationalEntry: true})
CREATE (tournoiDesTroisLacs2020:Tournament {name: 'Tournoi des Trois Lacs 2020', gender: 'men', startDate: date('2020-06-26'), endDate: date('2020-06-27'), prizeMoney: 2800, entryFee: 50, internationalEntry: false})
CREATE (tournoiDesTroisLacs2021:Tournament {name: 'Tournoi des Trois Lacs 2021', gender: 'men', startDate: date('2021-06-24'), endDate: date('2021-06-25'), prizeMoney: 2350, entryFee: 45, internationalEntry: false})
CREATE (tournoiDesTroisLacs2023:Tournament {name: 'Tournoi des Trois Lacs 2023', gender: 'men', startDate: date('2023-06-18'), prizeMoney: 1750, entryFee: 50, internationalEntry: true})
CREATE (luzernerFasnachtsturnier2021:Tournament {name: 'Luzerner Fasnachtsturnier 2021', gender: 'women', startDate: date('2021-01-14'), endDate: date('2021-01-15'), prizeMoney: 1200, entryFee: 35, internationalEntry: true})
CREATE (luzernerFasnachtsturnier2023:Tournament {name: 'Luzerner Fasnachtsturnier 2023', gender: 'women', startDate: date('2023-01-08'), endDate: date('2023-01-10'), prizeMoney: 2100, internationalEntry: true})

// ---- where clubs train
CREATE
  (fechtclubLimmattal)-[:TRAINS_AT]->(sporthalleHardauWest),
  (societeDEscrimeDeVidy)-[:TRAINS_AT]->(salleDesArmesVidy),
  (fechtgesellschaftZofingen)-[:TRAINS_AT]->(mehrzweckhalleRosenau),
  (circoloSchermaCeresio)-[:TRAINS_AT]->(palestraAlMaglio),
  (cercleDArmesDeCarouge)-[:TRAINS_AT]->(centreSportifDuBoutDuLac),
  (fechtclubBarengraben)-[:TRAINS_AT]->(turnhalleSpitalacker),
  (escrimeDelemont)-[:TRAINS_AT]->(hallePolyvalenteDelemont),
  (fechtclubGallus)-[:TRAINS_AT]->(kreuzbleicheNord),
  (lesLamesDeSion)-[:TRAINS_AT]->(salleDuVieuxMoulin),
  (fechtkellerLuzern)-[:TRAINS_AT]->(wartegghalle),
  (baslerFechtgilde)-[:TRAINS_AT]->(joggeliFechtzentrum),
  (neuchatelEscrime)-[:TRAINS_AT]->(laMaladiereB),
  (degenclubSantis)-[:TRAINS_AT]->(sportzentrumGrundenmoos2)

// ---- memberships
CREATE (maraHofstetter)-[:MEMBER_OF]->(fechtgesellschaftZofingen)
MERGE (darioFankhauser)-[:MEMBER_OF {since: 2014}]->(escrimeDelemont)
MERGE (joelleHasler)-[:MEMBER_OF {since: 2017}]->(circoloSchermaCeresio)
MERGE (robinSchaller)-[:MEMBER_OF {since: 2012}]->(fechtkellerLuzern)
MERGE (ilariaMuhlemann)-[:MEMBER_OF {since: 2020}]->(neuchatelEscrime)
MERGE (beatLuscher)-[:MEMBER_OF {since: 2006}]->(fechtclubLimmattal)
MERGE (mafaldaKaufmann)-[:MEMBER_OF {since: 2010}]->(fechtkellerLuzern)
MERGE (maximeCorminboeuf)-[:MEMBER_OF {since: 2021}]->(baslerFechtgilde)
MERGE (ramonaCrivelli)-[:MEMBER_OF {since: 2010}]->(fechtclubGallus)
MERGE (christophKaser)-[:MEMBER_OF {since: 2015}]->(societeDEscrimeDeVidy)
MERGE (tessaBachofner)-[:MEMBER_OF {since: 2022}]->(cercleDArmesDeCarouge)
MERGE (fabioPiguet)-[:MEMBER_OF {since: 2015}]->(lesLamesDeSion)
MERGE (laureNyffeler)-[:MEMBER_OF {since: 2018}]->(fechtclubBarengraben)
MERGE (theoEgli)-[:MEMBER_OF {since: 2005}]->(cercleDArmesDeCarouge)
MERGE (oliviaBongard)-[:MEMBER_OF {since: 2011}]->(fechtclubLimmattal)
MERGE (jonasMoret)-[:MEMBER_OF {since: 2019}]->(societeDEscrimeDeVidy)
MERGE (ninaRochat)-[:MEMBER_OF {since: 2014}]->(cercleDArmesDeCarouge)
CREATE (noahMarti)-[:MEMBER_OF]->(societeDEscrimeDeVidy)
MERGE (delphineWenger)-[:MEMBER_OF {since: 2022}]->(schermaMendrisio)
MERGE (larsRappaz)-[:MEMBER_OF {since: 2021}]->(lesLamesDeSion)
CREATE (sofieMauron)-[:MEMBER_OF]->(fechtclubLimmattal)
MERGE (lorenzoJoller)-[:MEMBER_OF {since: 2016}]->(degenclubSantis)
MERGE (valentinaFluckiger)-[:MEMBER_OF {since: 2022}]->(escrimeDelemont)
MERGE (bastienGiroud)-[:MEMBER_OF {since: 2015}]->(escrimeDelemont)
MERGE (salomeBieri)-[:MEMBER_OF {since: 2022}]->(baslerFechtgilde)
MERGE (joelJegerlehner)-[:MEMBER_OF {since: 2018}]->(fechtgesellschaftZofingen)
MERGE (flaviaHuguenin)-[:MEMBER_OF {since: 2012}]->(fechtclubLimmattal)
MERGE (janOberholzer)-[:MEMBER_OF {since: 2021}]->(fechtclubBarengraben)
MERGE (lorenaPittet)-[:MEMBER_OF {since: 2021}]->(fechtclubGallus)
MERGE (nandoMaillard)-[:MEMBER_OF {since: 2012}]->(baslerFechtgilde)
MERGE (elinBurkhalter)-[:MEMBER_OF {since: 2009}]->(fechtkellerLuzern)
MERGE (adrianInabnit)-[:MEMBER_OF {since: 2018}]->(baslerFechtgilde)
MERGE (ladinaRegazzoni)-[:MEMBER_OF {since: 2010}]->(baslerFechtgilde)
MERGE (lucaSchnyder)-[:MEMBER_OF {since: 2007}]->(cercleDArmesDeCarouge)
MERGE (anaisVuilleumier)-[:MEMBER_OF {since: 2021}]->(neuchatelEscrime)
MERGE (loicSporri)-[:MEMBER_OF {since: 2007}]->(fechtclubLimmattal)
MERGE (tabeaGalli)-[:MEMBER_OF {since: 2008}]->(neuchatelEscrime)
MERGE (nicolaGerber)-[:MEMBER_OF {since: 2020}]->(societeDEscrimeDeVidy)
MERGE (alinaRossier)-[:MEMBER_OF {since: 2015}]->(fechtclubBarengraben)
MERGE (olivierTschanz)-[:MEMBER_OF {since: 2016}]->(escrimeDelemont)
MERGE (fabienneGygax)-[:MEMBER_OF {since: 2021}]->(escrimeDelemont)
MERGE (kilianFerrari)-[:MEMBER_OF {since: 2022}]->(cercleDArmesDeCarouge)
MERGE (leonieKunzle)-[:MEMBER_OF {since: 2020}]->(fechtgesellschaftZofingen)
MERGE (retoMonnard)-[:MEMBER_OF {since: 2016}]->(circoloSchermaCeresio)
MERGE (chiaraWuthrich)-[:MEMBER_OF {since: 2022}]->(lesLamesDeSion)
MERGE (alessioChappuis)-[:MEMBER_OF {since: 2017}]->(neuchatelEscrime)
MERGE (zoeAmmann)-[:MEMBER_OF {since: 2011}]->(fechtclubGallus)
MERGE (timGrob)-[:MEMBER_OF {since: 2019}]->(fechtclubGallus)
MERGE (liviaRuegg)-[:MEMBER_OF {since: 2007}]->(baslerFechtgilde)
MERGE (jeromeGuidotti)-[:MEMBER_OF {since: 2016}]->(fechtclubLimmattal)
MERGE (romaneHefti)-[:MEMBER_OF {since: 2008}]->(fechtclubGallus)
MERGE (andrinThommen)-[:MEMBER_OF {since: 2019}]->(societeDEscrimeDeVidy)
MERGE (noemieSulzer)-[:MEMBER_OF {since: 2021}]->(schermaMendrisio)
MERGE (cedricDarbellay)-[:MEMBER_OF {since: 2014}]->(fechtclubLimmattal)
CREATE (carlaCattaneo)-[:MEMBER_OF]->(fechtclubBarengraben)
MERGE (silvanPfenninger)-[:MEMBER_OF {since: 2008}]->(societeDEscrimeDeVidy)
MERGE (janaGenoud)-[:MEMBER_OF {since: 2022}]->(fechtkellerLuzern)
MERGE (mathieuKohli)-[:MEMBER_OF {since: 2018}]->(fechtclubLimmattal)
MERGE (melanieZurbriggen)-[:MEMBER_OF {since: 2015}]->(fechtgesellschaftZofingen)
MERGE (valentinJaquet)-[:MEMBER_OF {since: 2018}]->(schermaMendrisio)
MERGE (sarinaBaumgartner)-[:MEMBER_OF {since: 2015}]->(lesLamesDeSion)
MERGE (samuelSavary)-[:MEMBER_OF {since: 2022}]->(fechtclubLimmattal)
MERGE (selinaAebischer)-[:MEMBER_OF {since: 2017}]->(neuchatelEscrime)
MERGE (eliaStadelmann)-[:MEMBER_OF {since: 2013}]->(cercleDArmesDeCarouge)
MERGE (jessicaPedrazzini)-[:MEMBER_OF {since: 2010}]->(cercleDArmesDeCarouge)
MERGE (benoitDubach)-[:MEMBER_OF {since: 2017}]->(baslerFechtgilde)
MERGE (elisaRohner)-[:MEMBER_OF {since: 2018}]->(fechtclubLimmattal)
MERGE (gregoryFavrod)-[:MEMBER_OF {since: 2009}]->(fechtclubLimmattal)
MERGE (yaraQuadri)-[:MEMBER_OF {since: 2018}]->(circoloSchermaCeresio)
MERGE (nilsBugnon)-[:MEMBER_OF {since: 2017}]->(societeDEscrimeDeVidy)
CREATE (celinePerrenoud)-[:MEMBER_OF]->(fechtclubGallus)
MERGE (leandroLeuenberger)-[:MEMBER_OF {since: 2016}]->(fechtclubGallus)
MERGE (miaBerset)-[:MEMBER_OF {since: 2020}]->(cercleDArmesDeCarouge)
MERGE (gianGasser)-[:MEMBER_OF {since: 2010}]->(fechtkellerLuzern)
MERGE (naomiSigrist)-[:MEMBER_OF {since: 2010}]->(societeDEscrimeDeVidy)
MERGE (florianHenchoz)-[:MEMBER_OF {since: 2011}]->(lesLamesDeSion)
MERGE (louFrei)-[:MEMBER_OF {since: 2019}]->(fechtclubBarengraben)
MERGE (damianZaugg)-[:MEMBER_OF {since: 2020}]->(fechtclubLimmattal)
MERGE (paulineDelaloye)-[:MEMBER_OF {since: 2011}]->(baslerFechtgilde)
MERGE (tobiasEmery)-[:MEMBER_OF {since: 2005}]->(fechtclubBarengraben)
MERGE (giuliaRickenbacher)-[:MEMBER_OF {since: 2019}]->(societeDEscrimeDeVidy)
MERGE (yannickZbinden)-[:MEMBER_OF {since: 2017}]->(fechtgesellschaftZofingen)
MERGE (veraKnecht)-[:MEMBER_OF {since: 2016}]->(cercleDArmesDeCarouge)
MERGE (sandroClerc)-[:MEMBER_OF {since: 2006}]->(cercleDArmesDeCarouge)
MERGE (leaNaef)-[:MEMBER_OF {since: 2019}]->(circoloSchermaCeresio)
MERGE (julienLombardi)-[:MEMBER_OF {since: 2009}]->(circoloSchermaCeresio)
MERGE (xeniaBrunner)-[:MEMBER_OF {since: 2020}]->(societeDEscrimeDeVidy)
MERGE (quentinGrandjean)-[:MEMBER_OF {since: 2009}]->(fechtclubBarengraben)
MERGE (aurelieBlanchard)-[:MEMBER_OF {since: 2011}]->(baslerFechtgilde)
MERGE (pascalMeister)-[:MEMBER_OF {since: 2016}]->(fechtclubGallus)
MERGE (manonTanner)-[:MEMBER_OF {since: 2016}]->(baslerFechtgilde)
MERGE (yvesBernasconi)-[:MEMBER_OF {since: 2018}]->(fechtclubBarengraben)
MERGE (maraFavrod)-[:MEMBER_OF {since: 2015}]->(fechtclubBarengraben)
MERGE (emilGiroud)-[:MEMBER_OF {since: 2021}]->(fechtkellerLuzern)
MERGE (joelleBrunner)-[:MEMBER_OF {since: 2005}]->(degenclubSantis)
MERGE (cyrilQuadri)-[:MEMBER_OF {since: 2014}]->(cercleDArmesDeCarouge)

// ---- weapons per fencer
CREATE
  (maraHofstetter)-[:FENCES]->(foil),
  (darioFankhauser)-[:FENCES]->(epee),
  (joelleHasler)-[:FENCES]->(foil),
  (robinSchaller)-[:FENCES]->(sabre),
  (ilariaMuhlemann)-[:FENCES]->(sabre),
  (beatLuscher)-[:FENCES]->(epee),
  (mafaldaKaufmann)-[:FENCES]->(foil),
  (mafaldaKaufmann)-[:FENCES]->(sabre),
  (maximeCorminboeuf)-[:FENCES]->(epee),
  (ramonaCrivelli)-[:FENCES]->(foil),
  (christophKaser)-[:FENCES]->(sabre),
  (tessaBachofner)-[:FENCES]->(sabre),
  (fabioPiguet)-[:FENCES]->(epee),
  (laureNyffeler)-[:FENCES]->(epee),
  (theoEgli)-[:FENCES]->(epee),
  (oliviaBongard)-[:FENCES]->(epee),
  (jonasMoret)-[:FENCES]->(epee),
  (ninaRochat)-[:FENCES]->(epee),
  (noahMarti)-[:FENCES]->(sabre),
  (delphineWenger)-[:FENCES]->(foil),
  (larsRappaz)-[:FENCES]->(sabre),
  (sofieMauron)-[:FENCES]->(foil),
  (lorenzoJoller)-[:FENCES]->(epee),
  (valentinaFluckiger)-[:FENCES]->(epee),
  (bastienGiroud)-[:FENCES]->(sabre),
  (salomeBieri)-[:FENCES]->(epee),
  (joelJegerlehner)-[:FENCES]->(epee),
  (flaviaHuguenin)-[:FENCES]->(epee),
  (janOberholzer)-[:FENCES]->(epee),
  (lorenaPittet)-[:FENCES]->(foil),
  (nandoMaillard)-[:FENCES]->(epee),
  (elinBurkhalter)-[:FENCES]->(sabre),
  (elinBurkhalter)-[:FENCES]->(epee),
  (adrianInabnit)-[:FENCES]->(foil),
  (ladinaRegazzoni)-[:FENCES]->(epee),
  (lucaSchnyder)-[:FENCES]->(sabre),
  (anaisVuilleumier)-[:FENCES]->(epee),
  (loicSporri)-[:FENCES]->(epee),
  (tabeaGalli)-[:FENCES]->(foil),
  (nicolaGerber)-[:FENCES]->(epee),
  (alinaRossier)-[:FENCES]->(epee),
  (olivierTschanz)-[:FENCES]->(epee),
  (fabienneGygax)-[:FENCES]->(sabre),
  (kilianFerrari)-[:FENCES]->(epee),
  (leonieKunzle)-[:FENCES]->(epee),
  (retoMonnard)-[:FENCES]->(foil),
  (chiaraWuthrich)-[:FENCES]->(epee),
  (chiaraWuthrich)-[:FENCES]->(sabre),
  (alessioChappuis)-[:FENCES]->(epee),
  (zoeAmmann)-[:FENCES]->(epee),
  (timGrob)-[:FENCES]->(foil),
  (liviaRuegg)-[:FENCES]->(foil),
  (jeromeGuidotti)-[:FENCES]->(sabre),
  (romaneHefti)-[:FENCES]->(epee),
  (romaneHefti)-[:FENCES]->(sabre),
  (andrinThommen)-[:FENCES]->(epee),
  (noemieSulzer)-[:FENCES]->(sabre),
  (cedricDarbellay)-[:FENCES]->(foil),
  (carlaCattaneo)-[:FENCES]->(sabre),
  (silvanPfenninger)-[:FENCES]->(foil),
  (janaGenoud)-[:FENCES]->(sabre),
  (mathieuKohli)-[:FENCES]->(foil),
  (melanieZurbriggen)-[:FENCES]->(foil),
  (valentinJaquet)-[:FENCES]->(foil),
  (sarinaBaumgartner)-[:FENCES]->(sabre),
  (samuelSavary)-[:FENCES]->(sabre),
  (selinaAebischer)-[:FENCES]->(foil),
  (eliaStadelmann)-[:FENCES]->(sabre),
  (jessicaPedrazzini)-[:FENCES]->(epee),
  (benoitDubach)-[:FENCES]->(epee),
  (elisaRohner)-[:FENCES]->(sabre),
  (gregoryFavrod)-[:FENCES]->(epee),
  (yaraQuadri)-[:FENCES]->(epee),
  (nilsBugnon)-[:FENCES]->(sabre),
  (celinePerrenoud)-[:FENCES]->(epee),
  (leandroLeuenberger)-[:FENCES]->(foil),
  (miaBerset)-[:FENCES]->(epee),
  (gianGasser)-[:FENCES]->(sabre),
  (gianGasser)-[:FENCES]->(foil),
  (naomiSigrist)-[:FENCES]->(epee),
  (florianHenchoz)-[:FENCES]->(epee),
  (louFrei)-[:FENCES]->(foil),
  (damianZaugg)-[:FENCES]->(foil),
  (paulineDelaloye)-[:FENCES]->(sabre),
  (tobiasEmery)-[:FENCES]->(epee),
  (giuliaRickenbacher)-[:FENCES]->(epee),
  (yannickZbinden)-[:FENCES]->(epee),
  (yannickZbinden)-[:FENCES]->(sabre),
  (veraKnecht)-[:FENCES]->(foil),
  (sandroClerc)-[:FENCES]->(epee),
  (leaNaef)-[:FENCES]->(foil),
  (julienLombardi)-[:FENCES]->(foil),
  (xeniaBrunner)-[:FENCES]->(sabre),
  (quentinGrandjean)-[:FENCES]->(sabre),
  (aurelieBlanchard)-[:FENCES]->(foil),
  (pascalMeister)-[:FENCES]->(epee),
  (manonTanner)-[:FENCES]->(sabre),
  (yvesBernasconi)-[:FENCES]->(epee),
  (maraFavrod)-[:FENCES]->(foil),
  (emilGiroud)-[:FENCES]->(foil),
  (joelleBrunner)-[:FENCES]->(foil),
  (cyrilQuadri)-[:FENCES]->(epee),
  (cyrilQuadri)-[:FENCES]->(foil)

// ---- coaches / clubs
CREATE (ildikoSzabados)-[:WORKS_FOR {since: 2010}]->(fechtclubLimmattal)
CREATE (gerardMonnier)-[:WORKS_FOR {since: 1999}]->(societeDEscrimeDeVidy)
CREATE (sergeiDovzhenko)-[:WORKS_FOR {since: 2004}]->(fechtgesellschaftZofingen)
CREATE (ursLanz)-[:WORKS_FOR]->(circoloSchermaCeresio)
CREATE (annemarieLutz)-[:WORKS_FOR {since: 2004}]->(cercleDArmesDeCarouge)
CREATE (paoloVisentin)-[:WORKS_FOR {since: 2015}]->(fechtclubBarengraben)
CREATE (beatriceCollaud)-[:WORKS_FOR {since: 2008}]->(escrimeDelemont)
CREATE (jurgenHartwig)-[:WORKS_FOR {since: 2016}]->(fechtclubGallus)
CREATE (marekKopczynski)-[:WORKS_FOR {since: 2015}]->(lesLamesDeSion)
CREATE (florenceRebetez)-[:WORKS_FOR {since: 2018}]->(fechtkellerLuzern)
CREATE (attilaVoros)-[:WORKS_FOR {since: 2009}]->(baslerFechtgilde)
CREATE (danielaKeller)-[:WORKS_FOR {since: 2004}]->(neuchatelEscrime)
CREATE (olivierCuendet)-[:WORKS_FOR {since: 2020}]->(degenclubSantis)
CREATE (krisztinaBarany)-[:WORKS_FOR {since: 1999}]->(schermaMendrisio)
CREATE (massimoFontana)-[:WORKS_FOR {since: 2013}]->(lesLamesDeSion)
CREATE (philippeRoulin)-[:WORKS_FOR {since: 2000}]->(cercleDArmesDeCarouge)

// ---- who coaches whom
CREATE (ildikoSzabados)-[:COACHES {since: date('2018-01-11')}]->(beatLuscher)
CREATE (ildikoSzabados)-[:COACHES {since: date('2019-11-21')}]->(oliviaBongard)
CREATE (ildikoSzabados)-[:COACHES {since: date('2019-12-11')}]->(sofieMauron)
CREATE (ildikoSzabados)-[:COACHES {since: date('2016-10-11')}]->(flaviaHuguenin)
CREATE (ildikoSzabados)-[:COACHES {since: date('2022-01-06')}]->(loicSporri)
CREATE (ildikoSzabados)-[:COACHES {since: date('2022-11-01')}]->(cedricDarbellay)
CREATE (ildikoSzabados)-[:COACHES {since: date('2022-07-23')}]->(samuelSavary)
CREATE (ildikoSzabados)-[:COACHES {since: date('2023-01-13')}]->(elisaRohner)
CREATE (ildikoSzabados)-[:COACHES {since: date('2022-06-13')}]->(gregoryFavrod)
CREATE (ildikoSzabados)-[:COACHES {since: date('2021-04-25')}]->(damianZaugg)
CREATE (gerardMonnier)-[:COACHES {since: date('2018-12-07')}]->(jonasMoret)
CREATE (gerardMonnier)-[:COACHES {since: date('2018-12-15')}]->(andrinThommen)
CREATE (gerardMonnier)-[:COACHES {since: date('2021-10-01')}]->(silvanPfenninger)
CREATE (gerardMonnier)-[:COACHES {since: date('2015-04-08')}]->(nilsBugnon)
CREATE (gerardMonnier)-[:COACHES {since: date('2023-04-03')}]->(giuliaRickenbacher)
CREATE (sergeiDovzhenko)-[:COACHES {since: date('2022-06-15')}]->(maraHofstetter)
CREATE (sergeiDovzhenko)-[:COACHES {since: date('2020-10-25')}]->(joelJegerlehner)
CREATE (sergeiDovzhenko)-[:COACHES {since: date('2015-03-08')}]->(leonieKunzle)
CREATE (sergeiDovzhenko)-[:COACHES {since: date('2023-05-12')}]->(melanieZurbriggen)
CREATE (sergeiDovzhenko)-[:COACHES {since: date('2017-05-31')}]->(yannickZbinden)
CREATE (ursLanz)-[:COACHES {since: date('2020-03-12')}]->(joelleHasler)
CREATE (ursLanz)-[:COACHES {since: date('2019-12-06')}]->(retoMonnard)
CREATE (ursLanz)-[:COACHES {since: date('2018-11-21')}]->(leaNaef)
CREATE (ursLanz)-[:COACHES {since: date('2018-10-31')}]->(julienLombardi)
CREATE (annemarieLutz)-[:COACHES {since: date('2020-03-09')}]->(theoEgli)
CREATE (annemarieLutz)-[:COACHES {since: date('2021-12-04')}]->(lucaSchnyder)
CREATE (annemarieLutz)-[:COACHES {since: date('2017-01-24')}]->(jessicaPedrazzini)
CREATE (annemarieLutz)-[:COACHES {since: date('2021-06-03')}]->(miaBerset)
CREATE (annemarieLutz)-[:COACHES {since: date('2020-06-27')}]->(veraKnecht)
CREATE (annemarieLutz)-[:COACHES {since: date('2020-02-20')}]->(sandroClerc)
CREATE (annemarieLutz)-[:COACHES {since: date('2023-06-22')}]->(cyrilQuadri)
CREATE (paoloVisentin)-[:COACHES {since: date('2016-01-11')}]->(janOberholzer)
CREATE (paoloVisentin)-[:COACHES {since: date('2022-12-15')}]->(alinaRossier)
CREATE (paoloVisentin)-[:COACHES {since: date('2017-10-04')}]->(carlaCattaneo)
CREATE (paoloVisentin)-[:COACHES {since: date('2021-05-24')}]->(quentinGrandjean)
CREATE (paoloVisentin)-[:COACHES {since: date('2018-03-05')}]->(yvesBernasconi)
CREATE (paoloVisentin)-[:COACHES {since: date('2017-05-07')}]->(maraFavrod)
CREATE (beatriceCollaud)-[:COACHES {since: date('2016-12-26')}]->(darioFankhauser)
CREATE (beatriceCollaud)-[:COACHES {since: date('2017-08-27')}]->(bastienGiroud)
CREATE (beatriceCollaud)-[:COACHES {since: date('2020-03-15')}]->(olivierTschanz)
CREATE (beatriceCollaud)-[:COACHES {since: date('2016-10-21')}]->(fabienneGygax)
CREATE (jurgenHartwig)-[:COACHES {since: date('2021-12-29')}]->(lorenaPittet)
CREATE (jurgenHartwig)-[:COACHES {since: date('2019-01-30')}]->(romaneHefti)
CREATE (jurgenHartwig)-[:COACHES {since: date('2019-07-09')}]->(celinePerrenoud)
CREATE (jurgenHartwig)-[:COACHES {since: date('2021-12-07')}]->(leandroLeuenberger)
CREATE (marekKopczynski)-[:COACHES {since: date('2016-01-12')}]->(fabioPiguet)
CREATE (marekKopczynski)-[:COACHES {since: date('2018-02-05')}]->(larsRappaz)
CREATE (marekKopczynski)-[:COACHES {since: date('2016-04-10')}]->(sarinaBaumgartner)
CREATE (florenceRebetez)-[:COACHES {since: date('2018-06-25')}]->(mafaldaKaufmann)
CREATE (florenceRebetez)-[:COACHES {since: date('2021-04-01')}]->(gianGasser)
CREATE (florenceRebetez)-[:COACHES {since: date('2015-04-16')}]->(emilGiroud)
CREATE (attilaVoros)-[:COACHES {since: date('2021-06-29')}]->(maximeCorminboeuf)
CREATE (attilaVoros)-[:COACHES {since: date('2016-12-31')}]->(nandoMaillard)
CREATE (attilaVoros)-[:COACHES {since: date('2021-02-23')}]->(adrianInabnit)
CREATE (attilaVoros)-[:COACHES {since: date('2018-02-10')}]->(ladinaRegazzoni)
CREATE (attilaVoros)-[:COACHES {since: date('2017-08-12')}]->(paulineDelaloye)
CREATE (danielaKeller)-[:COACHES {since: date('2016-06-04')}]->(ilariaMuhlemann)
CREATE (danielaKeller)-[:COACHES {since: date('2014-12-15')}]->(anaisVuilleumier)
CREATE (danielaKeller)-[:COACHES {since: date('2019-05-18')}]->(tabeaGalli)
CREATE (danielaKeller)-[:COACHES {since: date('2016-12-23')}]->(selinaAebischer)
CREATE (krisztinaBarany)-[:COACHES {since: date('2019-11-14')}]->(noemieSulzer)
CREATE (massimoFontana)-[:COACHES {since: date('2019-10-29')}]->(chiaraWuthrich)
CREATE (philippeRoulin)-[:COACHES {since: date('2014-12-14')}]->(tessaBachofner)
CREATE (philippeRoulin)-[:COACHES {since: date('2015-08-12')}]->(ninaRochat)
CREATE (philippeRoulin)-[:COACHES {since: date('2019-11-09')}]->(kilianFerrari)
CREATE (philippeRoulin)-[:COACHES {since: date('2016-04-22')}]->(eliaStadelmann)
CREATE
  (coupeDuLeman2020)-[:IN_WEAPON]->(epee),
  (coupeDuLeman2023)-[:IN_WEAPON]->(epee),
  (coupeDuLeman2024)-[:IN_WEAPON]->(epee),
  (limmatCup2020)-[:IN_WEAPON]->(foil),
  (limmatCup2022)-[:IN_WEAPON]->(foil),
  (limmatCup2024)-[:IN_WEAPON]->(foil),
  (zofingerDegenturnier2021)-[:IN_WEAPON]->(epee),
  (zofingerDegenturnier2023)-[:IN_WEAPON]->(epee),
  (trofeoDelCeresio2020)-[:IN_WEAPON]->(foil),
  (trofeoDelCeresio2022)-[:IN_WEAPON]->(foil),
  (trofeoDelCeresio2024)-[:IN_WEAPON]->(foil),
  (challengeDeLEscalade2021)-[:IN_WEAPON]->(epee),
  (challengeDeLEscalade2022)-[:IN_WEAPON]->(epee),
  (challengeDeLEscalade2023)-[:IN_WEAPON]->(epee),
  (barencup2020)-[:IN_WEAPON]->(sabre),
  (barencup2022)-[:IN_WEAPON]->(sabre),
  (gallusTurnier2020)-[:IN_WEAPON]->(epee),
  (gallusTurnier2021)-[:IN_WEAPON]->(epee),
  (gallusTurnier2023)-[:IN_WEAPON]->(epee),
  (baslerGildenpreis2020)-[:IN_WEAPON]->(sabre),
  (baslerGildenpreis2021)-[:IN_WEAPON]->(sabre),
  (baslerGildenpreis2023)-[:IN_WEAPON]->(sabre),
  (tournoiDesTroisLacs2020)-[:IN_WEAPON]->(foil),
  (tournoiDesTroisLacs2021)-[:IN_WEAPON]->(foil),
  (tournoiDesTroisLacs2023)-[:IN_WEAPON]->(foil),
  (luzernerFasnachtsturnier2021)-[:IN_WEAPON]->(epee),
  (luzernerFasnachtsturnier2023)-[:IN_WEAPON]->(epee)
CREATE
  (coupeDuLeman2020)-[:HELD_AT]->(salleDesArmesVidy),
  (coupeDuLeman2023)-[:HELD_AT]->(salleDesArmesVidy),
  (coupeDuLeman2024)-[:HELD_AT]->(salleDesArmesVidy),
  (limmatCup2020)-[:HELD_AT]->(sporthalleHardauWest),
  (limmatCup2022)-[:HELD_AT]->(sporthalleHardauWest),
  (limmatCup2024)-[:HELD_AT]->(sporthalleHardauWest),
  (zofingerDegenturnier2021)-[:HELD_AT]->(mehrzweckhalleRosenau),
  (zofingerDegenturnier2023)-[:HELD_AT]->(salleDesArmesVidy),
  (trofeoDelCeresio2020)-[:HELD_AT]->(palestraAlMaglio),
  (trofeoDelCeresio2022)-[:HELD_AT]->(palestraAlMaglio),
  (trofeoDelCeresio2024)-[:HELD_AT]->(palestraAlMaglio),
  (challengeDeLEscalade2021)-[:HELD_AT]->(hallePolyvalenteDelemont),
  (challengeDeLEscalade2022)-[:HELD_AT]->(joggeliFechtzentrum),
  (challengeDeLEscalade2023)-[:HELD_AT]->(centreSportifDuBoutDuLac),
  (barencup2020)-[:HELD_AT]->(turnhalleSpitalacker),
  (barencup2022)-[:HELD_AT]->(turnhalleSpitalacker),
  (gallusTurnier2020)-[:HELD_AT]->(centreSportifDuBoutDuLac),
  (gallusTurnier2021)-[:HELD_AT]->(kreuzbleicheNord),
  (gallusTurnier2023)-[:HELD_AT]->(kreuzbleicheNord),
  (baslerGildenpreis2020)-[:HELD_AT]->(centreSportifDuBoutDuLac),
  (baslerGildenpreis2021)-[:HELD_AT]->(laMaladiereB),
  (baslerGildenpreis2023)-[:HELD_AT]->(joggeliFechtzentrum),
  (tournoiDesTroisLacs2020)-[:HELD_AT]->(laMaladiereB),
  (tournoiDesTroisLacs2021)-[:HELD_AT]->(laMaladiereB),
  (tournoiDesTroisLacs2023)-[:HELD_AT]->(laMaladiereB),
  (luzernerFasnachtsturnier2021)-[:HELD_AT]->(wartegghalle),
  (luzernerFasnachtsturnier2023)-[:HELD_AT]->(wartegghalle)
CREATE
  (coupeDuLeman2020)-[:ORGANISED_BY]->(societeDEscrimeDeVidy),
  (coupeDuLeman2023)-[:ORGANISED_BY]->(societeDEscrimeDeVidy),
  (coupeDuLeman2024)-[:ORGANISED_BY]->(societeDEscrimeDeVidy),
  (limmatCup2020)-[:ORGANISED_BY]->(fechtclubLimmattal),
  (limmatCup2022)-[:ORGANISED_BY]->(fechtclubLimmattal),
  (limmatCup2024)-[:ORGANISED_BY]->(fechtclubLimmattal),
  (zofingerDegenturnier2021)-[:ORGANISED_BY]->(fechtgesellschaftZofingen),
  (zofingerDegenturnier2023)-[:ORGANISED_BY]->(fechtgesellschaftZofingen),
  (trofeoDelCeresio2020)-[:ORGANISED_BY]->(circoloSchermaCeresio),
  (trofeoDelCeresio2022)-[:ORGANISED_BY]->(circoloSchermaCeresio),
  (trofeoDelCeresio2024)-[:ORGANISED_BY]->(circoloSchermaCeresio),
  (challengeDeLEscalade2021)-[:ORGANISED_BY]->(cercleDArmesDeCarouge),
  (challengeDeLEscalade2022)-[:ORGANISED_BY]->(cercleDArmesDeCarouge),
  (challengeDeLEscalade2023)-[:ORGANISED_BY]->(cercleDArmesDeCarouge),
  (barencup2020)-[:ORGANISED_BY]->(fechtclubBarengraben),
  (barencup2022)-[:ORGANISED_BY]->(fechtclubBarengraben),
  (gallusTurnier2020)-[:ORGANISED_BY]->(fechtclubGallus),
  (gallusTurnier2021)-[:ORGANISED_BY]->(fechtclubGallus),
  (gallusTurnier2023)-[:ORGANISED_BY]->(fechtclubGallus),
  (baslerGildenpreis2020)-[:ORGANISED_BY]->(baslerFechtgilde),
  (baslerGildenpreis2021)-[:ORGANISED_BY]->(baslerFechtgilde),
  (baslerGildenpreis2023)-[:ORGANISED_BY]->(baslerFechtgilde),
  (tournoiDesTroisLacs2020)-[:ORGANISED_BY]->(neuchatelEscrime),
  (tournoiDesTroisLacs2021)-[:ORGANISED_BY]->(neuchatelEscrime),
  (tournoiDesTroisLacs2023)-[:ORGANISED_BY]->(neuchatelEscrime),
  (luzernerFasnachtsturnier2021)-[:ORGANISED_BY]->(fechtkellerLuzern),
  (luzernerFasnachtsturnier2023)-[:ORGANISED_BY]->(fechtkellerLuzern)

// ---- results
CREATE (giuliaRickenbacher)-[:COMPETED_IN {place: 1, points: 32}]->(coupeDuLeman2020)
CREATE (alinaRossier)-[:COMPETED_IN {place: 2, points: 26}]->(coupeDuLeman2020)
CREATE (yaraQuadri)-[:COMPETED_IN {place: 3, points: 20}]->(coupeDuLeman2020)
CREATE (anaisVuilleumier)-[:COMPETED_IN {place: 3, points: 20}]->(coupeDuLeman2020)
CREATE (elinBurkhalter)-[:COMPETED_IN {place: 5, points: 14}]->(coupeDuLeman2020)
CREATE (flaviaHuguenin)-[:COMPETED_IN {place: 6, points: 14}]->(coupeDuLeman2020)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 7, points: 14}]->(coupeDuLeman2020)
CREATE (oliviaBongard)-[:COMPETED_IN {place: 8, points: 14}]->(coupeDuLeman2020)
CREATE (naomiSigrist)-[:COMPETED_IN {place: 9, points: 8}]->(coupeDuLeman2020)
CREATE (oliviaBongard)-[:COMPETED_IN {place: 1, points: 32}]->(coupeDuLeman2023)
CREATE (ladinaRegazzoni)-[:COMPETED_IN {place: 2, points: 26}]->(coupeDuLeman2023)
CREATE (jessicaPedrazzini)-[:COMPETED_IN {place: 3, points: 20}]->(coupeDuLeman2023)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 3, points: 20}]->(coupeDuLeman2023)
CREATE (alinaRossier)-[:COMPETED_IN {place: 5, points: 14}]->(coupeDuLeman2023)
CREATE (giuliaRickenbacher)-[:COMPETED_IN {place: 6, points: 14}]->(coupeDuLeman2023)
CREATE (miaBerset)-[:COMPETED_IN {place: 7, points: 14}]->(coupeDuLeman2023)
CREATE (anaisVuilleumier)-[:COMPETED_IN {place: 8, points: 14}]->(coupeDuLeman2023)
CREATE (salomeBieri)-[:COMPETED_IN {place: 9, points: 8}]->(coupeDuLeman2023)
CREATE (ninaRochat)-[:COMPETED_IN {place: 10, points: 8}]->(coupeDuLeman2023)
CREATE (zoeAmmann)-[:COMPETED_IN {place: 11, points: 8}]->(coupeDuLeman2023)
CREATE (yaraQuadri)-[:COMPETED_IN {place: 12, points: 8}]->(coupeDuLeman2023)
CREATE (celinePerrenoud)-[:COMPETED_IN {place: 13, points: 8}]->(coupeDuLeman2023)
CREATE (alinaRossier)-[:COMPETED_IN {place: 1, points: 32}]->(coupeDuLeman2024)
CREATE (miaBerset)-[:COMPETED_IN {place: 2, points: 26}]->(coupeDuLeman2024)
CREATE (yaraQuadri)-[:COMPETED_IN {place: 3, points: 20}]->(coupeDuLeman2024)
CREATE (elinBurkhalter)-[:COMPETED_IN {place: 3, points: 20}]->(coupeDuLeman2024)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 5, points: 14}]->(coupeDuLeman2024)
CREATE (naomiSigrist)-[:COMPETED_IN {place: 6, points: 14}]->(coupeDuLeman2024)
CREATE (zoeAmmann)-[:COMPETED_IN {place: 7, points: 14}]->(coupeDuLeman2024)
CREATE (romaneHefti)-[:COMPETED_IN {place: 8, points: 14}]->(coupeDuLeman2024)
CREATE (ninaRochat)-[:COMPETED_IN {place: 9, points: 8}]->(coupeDuLeman2024)
CREATE (jessicaPedrazzini)-[:COMPETED_IN {place: 10, points: 8}]->(coupeDuLeman2024)
CREATE (valentinaFluckiger)-[:COMPETED_IN {place: 11, points: 8}]->(coupeDuLeman2024)
CREATE (oliviaBongard)-[:COMPETED_IN {place: 12, points: 8}]->(coupeDuLeman2024)
CREATE (damianZaugg)-[:COMPETED_IN {place: 1, points: 32}]->(limmatCup2020)
CREATE (silvanPfenninger)-[:COMPETED_IN {place: 2, points: 26}]->(limmatCup2020)
CREATE (valentinJaquet)-[:COMPETED_IN {place: 3, points: 20}]->(limmatCup2020)
CREATE (timGrob)-[:COMPETED_IN {place: 3, points: 20}]->(limmatCup2020)
CREATE (retoMonnard)-[:COMPETED_IN {place: 5, points: 14}]->(limmatCup2020)
CREATE (julienLombardi)-[:COMPETED_IN {place: 6, points: 14}]->(limmatCup2020)
CREATE (adrianInabnit)-[:COMPETED_IN {place: 7, points: 14}]->(limmatCup2020)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 8, points: 14}]->(limmatCup2020)
CREATE (cedricDarbellay)-[:COMPETED_IN {place: 9, points: 8}]->(limmatCup2020)
CREATE (cedricDarbellay)-[:COMPETED_IN {place: 1, points: 32}]->(limmatCup2022)
CREATE (damianZaugg)-[:COMPETED_IN {place: 2, points: 26}]->(limmatCup2022)
CREATE (julienLombardi)-[:COMPETED_IN {place: 3, points: 20}]->(limmatCup2022)
CREATE (valentinJaquet)-[:COMPETED_IN {place: 3, points: 20}]->(limmatCup2022)
CREATE (emilGiroud)-[:COMPETED_IN {place: 5, points: 14}]->(limmatCup2022)
CREATE (adrianInabnit)-[:COMPETED_IN {place: 6, points: 14}]->(limmatCup2022)
CREATE (mathieuKohli)-[:COMPETED_IN {place: 7, points: 14}]->(limmatCup2022)
CREATE (silvanPfenninger)-[:COMPETED_IN {place: 8, points: 14}]->(limmatCup2022)
CREATE (timGrob)-[:COMPETED_IN {place: 9, points: 8}]->(limmatCup2022)
CREATE (retoMonnard)-[:COMPETED_IN {place: 10, points: 8}]->(limmatCup2022)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 11, points: 8}]->(limmatCup2022)
CREATE (valentinJaquet)-[:COMPETED_IN {place: 1, points: 32}]->(limmatCup2024)
CREATE (julienLombardi)-[:COMPETED_IN {place: 2, points: 26}]->(limmatCup2024)
CREATE (mathieuKohli)-[:COMPETED_IN {place: 3, points: 20}]->(limmatCup2024)
CREATE (retoMonnard)-[:COMPETED_IN {place: 3, points: 20}]->(limmatCup2024)
CREATE (silvanPfenninger)-[:COMPETED_IN {place: 5, points: 14}]->(limmatCup2024)
CREATE (leandroLeuenberger)-[:COMPETED_IN {place: 6, points: 14}]->(limmatCup2024)
CREATE (damianZaugg)-[:COMPETED_IN {place: 7, points: 14}]->(limmatCup2024)
CREATE (cedricDarbellay)-[:COMPETED_IN {place: 8, points: 14}]->(limmatCup2024)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 9, points: 8}]->(limmatCup2024)
CREATE (adrianInabnit)-[:COMPETED_IN {place: 10, points: 8}]->(limmatCup2024)
CREATE (theoEgli)-[:COMPETED_IN {place: 1, points: 32}]->(zofingerDegenturnier2021)
CREATE (joelJegerlehner)-[:COMPETED_IN {place: 2, points: 26}]->(zofingerDegenturnier2021)
CREATE (florianHenchoz)-[:COMPETED_IN {place: 3, points: 20}]->(zofingerDegenturnier2021)
CREATE (benoitDubach)-[:COMPETED_IN {place: 3, points: 20}]->(zofingerDegenturnier2021)
CREATE (maximeCorminboeuf)-[:COMPETED_IN {place: 5, points: 14}]->(zofingerDegenturnier2021)
CREATE (gregoryFavrod)-[:COMPETED_IN {place: 6, points: 14}]->(zofingerDegenturnier2021)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 7, points: 14}]->(zofingerDegenturnier2021)
CREATE (lorenzoJoller)-[:COMPETED_IN {place: 8, points: 14}]->(zofingerDegenturnier2021)
CREATE (fabioPiguet)-[:COMPETED_IN {place: 9, points: 8}]->(zofingerDegenturnier2021)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 1, points: 32}]->(zofingerDegenturnier2023)
CREATE (yannickZbinden)-[:COMPETED_IN {place: 2, points: 26}]->(zofingerDegenturnier2023)
CREATE (lorenzoJoller)-[:COMPETED_IN {place: 3, points: 20}]->(zofingerDegenturnier2023)
CREATE (maximeCorminboeuf)-[:COMPETED_IN {place: 3, points: 20}]->(zofingerDegenturnier2023)
CREATE (benoitDubach)-[:COMPETED_IN {place: 5, points: 14}]->(zofingerDegenturnier2023)
CREATE (janOberholzer)-[:COMPETED_IN {place: 6, points: 14}]->(zofingerDegenturnier2023)
CREATE (fabioPiguet)-[:COMPETED_IN {place: 7, points: 14}]->(zofingerDegenturnier2023)
CREATE (tobiasEmery)-[:COMPETED_IN {place: 8, points: 14}]->(zofingerDegenturnier2023)
CREATE (loicSporri)-[:COMPETED_IN {place: 9, points: 8}]->(zofingerDegenturnier2023)
CREATE (sandroClerc)-[:COMPETED_IN {place: 10, points: 8}]->(zofingerDegenturnier2023)
CREATE (florianHenchoz)-[:COMPETED_IN {place: 11, points: 8}]->(zofingerDegenturnier2023)
CREATE (jonasMoret)-[:COMPETED_IN {place: 12, points: 8}]->(zofingerDegenturnier2023)
CREATE (alessioChappuis)-[:COMPETED_IN {place: 13, points: 8}]->(zofingerDegenturnier2023)
CREATE (leaNaef)-[:COMPETED_IN {place: 1, points: 32}]->(trofeoDelCeresio2020)
CREATE (maraHofstetter)-[:COMPETED_IN {place: 2, points: 26}]->(trofeoDelCeresio2020)
CREATE (selinaAebischer)-[:COMPETED_IN {place: 3, points: 20}]->(trofeoDelCeresio2020)
CREATE (aurelieBlanchard)-[:COMPETED_IN {place: 3, points: 20}]->(trofeoDelCeresio2020)
CREATE (liviaRuegg)-[:COMPETED_IN {place: 5, points: 14}]->(trofeoDelCeresio2020)
CREATE (joelleHasler)-[:COMPETED_IN {place: 6, points: 14}]->(trofeoDelCeresio2020)
CREATE (tabeaGalli)-[:COMPETED_IN {place: 7, points: 14}]->(trofeoDelCeresio2020)
CREATE (sofieMauron)-[:COMPETED_IN {place: 8, points: 14}]->(trofeoDelCeresio2020)
CREATE (maraFavrod)-[:COMPETED_IN {place: 9, points: 8}]->(trofeoDelCeresio2020)
CREATE (lorenaPittet)-[:COMPETED_IN {place: 10, points: 8}]->(trofeoDelCeresio2020)
CREATE (mafaldaKaufmann)-[:COMPETED_IN {place: 11, points: 8}]->(trofeoDelCeresio2020)
CREATE (delphineWenger)-[:COMPETED_IN {place: 12, points: 8}]->(trofeoDelCeresio2020)
CREATE (louFrei)-[:COMPETED_IN {place: 13, points: 8}]->(trofeoDelCeresio2020)
CREATE (aurelieBlanchard)-[:COMPETED_IN {place: 1, points: 32}]->(trofeoDelCeresio2022)
CREATE (veraKnecht)-[:COMPETED_IN {place: 2, points: 26}]->(trofeoDelCeresio2022)
CREATE (maraFavrod)-[:COMPETED_IN {place: 3, points: 20}]->(trofeoDelCeresio2022)
CREATE (selinaAebischer)-[:COMPETED_IN {place: 3, points: 20}]->(trofeoDelCeresio2022)
CREATE (ramonaCrivelli)-[:COMPETED_IN {place: 5, points: 14}]->(trofeoDelCeresio2022)
CREATE (tabeaGalli)-[:COMPETED_IN {place: 6, points: 14}]->(trofeoDelCeresio2022)
CREATE (joelleBrunner)-[:COMPETED_IN {place: 7, points: 14}]->(trofeoDelCeresio2022)
CREATE (delphineWenger)-[:COMPETED_IN {place: 8, points: 14}]->(trofeoDelCeresio2022)
CREATE (lorenaPittet)-[:COMPETED_IN {place: 9, points: 8}]->(trofeoDelCeresio2022)
CREATE (sofieMauron)-[:COMPETED_IN {place: 10, points: 8}]->(trofeoDelCeresio2022)
CREATE (aurelieBlanchard)-[:COMPETED_IN {place: 1, points: 32}]->(trofeoDelCeresio2024)
CREATE (maraFavrod)-[:COMPETED_IN {place: 2, points: 26}]->(trofeoDelCeresio2024)
CREATE (veraKnecht)-[:COMPETED_IN {place: 3, points: 20}]->(trofeoDelCeresio2024)
CREATE (liviaRuegg)-[:COMPETED_IN {place: 3, points: 20}]->(trofeoDelCeresio2024)
CREATE (melanieZurbriggen)-[:COMPETED_IN {place: 5, points: 14}]->(trofeoDelCeresio2024)
CREATE (leaNaef)-[:COMPETED_IN {place: 6, points: 14}]->(trofeoDelCeresio2024)
CREATE (mafaldaKaufmann)-[:COMPETED_IN {place: 7, points: 14}]->(trofeoDelCeresio2024)
CREATE (joelleHasler)-[:COMPETED_IN {place: 8, points: 14}]->(trofeoDelCeresio2024)
CREATE (tabeaGalli)-[:COMPETED_IN {place: 9, points: 8}]->(trofeoDelCeresio2024)
CREATE (delphineWenger)-[:COMPETED_IN {place: 10, points: 8}]->(trofeoDelCeresio2024)
CREATE (ramonaCrivelli)-[:COMPETED_IN {place: 11, points: 8}]->(trofeoDelCeresio2024)
CREATE (nandoMaillard)-[:COMPETED_IN {place: 1, points: 32}]->(challengeDeLEscalade2021)
CREATE (olivierTschanz)-[:COMPETED_IN {place: 2, points: 26}]->(challengeDeLEscalade2021)
CREATE (jonasMoret)-[:COMPETED_IN {place: 3, points: 20}]->(challengeDeLEscalade2021)
CREATE (nicolaGerber)-[:COMPETED_IN {place: 3, points: 20}]->(challengeDeLEscalade2021)
CREATE (joelJegerlehner)-[:COMPETED_IN {place: 5, points: 14}]->(challengeDeLEscalade2021)
CREATE (sandroClerc)-[:COMPETED_IN {place: 6, points: 14}]->(challengeDeLEscalade2021)
CREATE (darioFankhauser)-[:COMPETED_IN {place: 7, points: 14}]->(challengeDeLEscalade2021)
CREATE (alessioChappuis)-[:COMPETED_IN {place: 8, points: 14}]->(challengeDeLEscalade2021)
CREATE (beatLuscher)-[:COMPETED_IN {place: 9, points: 8}]->(challengeDeLEscalade2021)
CREATE (maximeCorminboeuf)-[:COMPETED_IN {place: 10, points: 8}]->(challengeDeLEscalade2021)
CREATE (pascalMeister)-[:COMPETED_IN {place: 11, points: 8}]->(challengeDeLEscalade2021)
CREATE (gregoryFavrod)-[:COMPETED_IN {place: 1, points: 32}]->(challengeDeLEscalade2022)
CREATE (fabioPiguet)-[:COMPETED_IN {place: 2, points: 26}]->(challengeDeLEscalade2022)
CREATE (kilianFerrari)-[:COMPETED_IN {place: 3, points: 20}]->(challengeDeLEscalade2022)
CREATE (olivierTschanz)-[:COMPETED_IN {place: 3, points: 20}]->(challengeDeLEscalade2022)
CREATE (yvesBernasconi)-[:COMPETED_IN {place: 5, points: 14}]->(challengeDeLEscalade2022)
CREATE (nicolaGerber)-[:COMPETED_IN {place: 6, points: 14}]->(challengeDeLEscalade2022)
CREATE (sandroClerc)-[:COMPETED_IN {place: 7, points: 14}]->(challengeDeLEscalade2022)
CREATE (loicSporri)-[:COMPETED_IN {place: 8, points: 14}]->(challengeDeLEscalade2022)
CREATE (darioFankhauser)-[:COMPETED_IN {place: 9, points: 8}]->(challengeDeLEscalade2022)
CREATE (lorenzoJoller)-[:COMPETED_IN {place: 10, points: 8}]->(challengeDeLEscalade2022)
CREATE (pascalMeister)-[:COMPETED_IN {place: 1, points: 32}]->(challengeDeLEscalade2023)
CREATE (tobiasEmery)-[:COMPETED_IN {place: 2, points: 26}]->(challengeDeLEscalade2023)
CREATE (jonasMoret)-[:COMPETED_IN {place: 3, points: 20}]->(challengeDeLEscalade2023)
CREATE (gregoryFavrod)-[:COMPETED_IN {place: 3, points: 20}]->(challengeDeLEscalade2023)
CREATE (theoEgli)-[:COMPETED_IN {place: 5, points: 14}]->(challengeDeLEscalade2023)
CREATE (darioFankhauser)-[:COMPETED_IN {place: 6, points: 14}]->(challengeDeLEscalade2023)
CREATE (olivierTschanz)-[:COMPETED_IN {place: 7, points: 14}]->(challengeDeLEscalade2023)
CREATE (fabioPiguet)-[:COMPETED_IN {place: 8, points: 14}]->(challengeDeLEscalade2023)
CREATE (larsRappaz)-[:COMPETED_IN {place: 1, points: 32}]->(barencup2020)
CREATE (quentinGrandjean)-[:COMPETED_IN {place: 2, points: 26}]->(barencup2020)
CREATE (nilsBugnon)-[:COMPETED_IN {place: 3, points: 20}]->(barencup2020)
CREATE (noahMarti)-[:COMPETED_IN {place: 3, points: 20}]->(barencup2020)
CREATE (yannickZbinden)-[:COMPETED_IN {place: 5, points: 14}]->(barencup2020)
CREATE (gianGasser)-[:COMPETED_IN {place: 6, points: 14}]->(barencup2020)
CREATE (lucaSchnyder)-[:COMPETED_IN {place: 7, points: 14}]->(barencup2020)
CREATE (bastienGiroud)-[:COMPETED_IN {place: 8, points: 14}]->(barencup2020)
CREATE (christophKaser)-[:COMPETED_IN {place: 9, points: 8}]->(barencup2020)
CREATE (eliaStadelmann)-[:COMPETED_IN {place: 10, points: 8}]->(barencup2020)
CREATE (larsRappaz)-[:COMPETED_IN {place: 1, points: 32}]->(barencup2022)
CREATE (nilsBugnon)-[:COMPETED_IN {place: 2, points: 26}]->(barencup2022)
CREATE (quentinGrandjean)-[:COMPETED_IN {place: 3, points: 20}]->(barencup2022)
CREATE (noahMarti)-[:COMPETED_IN {place: 3, points: 20}]->(barencup2022)
CREATE (bastienGiroud)-[:COMPETED_IN {place: 5, points: 14}]->(barencup2022)
CREATE (gianGasser)-[:COMPETED_IN {place: 6, points: 14}]->(barencup2022)
CREATE (samuelSavary)-[:COMPETED_IN {place: 7, points: 14}]->(barencup2022)
CREATE (jeromeGuidotti)-[:COMPETED_IN {place: 8, points: 14}]->(barencup2022)
CREATE (christophKaser)-[:COMPETED_IN {place: 9, points: 8}]->(barencup2022)
CREATE (lucaSchnyder)-[:COMPETED_IN {place: 10, points: 8}]->(barencup2022)
CREATE (eliaStadelmann)-[:COMPETED_IN {place: 11, points: 8}]->(barencup2022)
CREATE (laureNyffeler)-[:COMPETED_IN {place: 1, points: 32}]->(gallusTurnier2020)
CREATE (miaBerset)-[:COMPETED_IN {place: 2, points: 26}]->(gallusTurnier2020)
CREATE (yaraQuadri)-[:COMPETED_IN {place: 3, points: 20}]->(gallusTurnier2020)
CREATE (zoeAmmann)-[:COMPETED_IN {place: 3, points: 20}]->(gallusTurnier2020)
CREATE (giuliaRickenbacher)-[:COMPETED_IN {place: 5, points: 14}]->(gallusTurnier2020)
CREATE (ladinaRegazzoni)-[:COMPETED_IN {place: 6, points: 14}]->(gallusTurnier2020)
CREATE (alinaRossier)-[:COMPETED_IN {place: 7, points: 14}]->(gallusTurnier2020)
CREATE (naomiSigrist)-[:COMPETED_IN {place: 8, points: 14}]->(gallusTurnier2020)
CREATE (jessicaPedrazzini)-[:COMPETED_IN {place: 9, points: 8}]->(gallusTurnier2020)
CREATE (salomeBieri)-[:COMPETED_IN {place: 10, points: 8}]->(gallusTurnier2020)
CREATE (valentinaFluckiger)-[:COMPETED_IN {place: 11, points: 8}]->(gallusTurnier2020)
CREATE (flaviaHuguenin)-[:COMPETED_IN {place: 12, points: 8}]->(gallusTurnier2020)
CREATE (salomeBieri)-[:COMPETED_IN {place: 1, points: 32}]->(gallusTurnier2021)
CREATE (ladinaRegazzoni)-[:COMPETED_IN {place: 2, points: 26}]->(gallusTurnier2021)
CREATE (jessicaPedrazzini)-[:COMPETED_IN {place: 3, points: 20}]->(gallusTurnier2021)
CREATE (celinePerrenoud)-[:COMPETED_IN {place: 3, points: 20}]->(gallusTurnier2021)
CREATE (leonieKunzle)-[:COMPETED_IN {place: 5, points: 14}]->(gallusTurnier2021)
CREATE (anaisVuilleumier)-[:COMPETED_IN {place: 6, points: 14}]->(gallusTurnier2021)
CREATE (alinaRossier)-[:COMPETED_IN {place: 7, points: 14}]->(gallusTurnier2021)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 8, points: 14}]->(gallusTurnier2021)
CREATE (valentinaFluckiger)-[:COMPETED_IN {place: 9, points: 8}]->(gallusTurnier2021)
CREATE (zoeAmmann)-[:COMPETED_IN {place: 10, points: 8}]->(gallusTurnier2021)
CREATE (giuliaRickenbacher)-[:COMPETED_IN {place: 1, points: 32}]->(gallusTurnier2023)
CREATE (ladinaRegazzoni)-[:COMPETED_IN {place: 2, points: 26}]->(gallusTurnier2023)
CREATE (ninaRochat)-[:COMPETED_IN {place: 3, points: 20}]->(gallusTurnier2023)
CREATE (zoeAmmann)-[:COMPETED_IN {place: 3, points: 20}]->(gallusTurnier2023)
CREATE (laureNyffeler)-[:COMPETED_IN {place: 5, points: 14}]->(gallusTurnier2023)
CREATE (leonieKunzle)-[:COMPETED_IN {place: 6, points: 14}]->(gallusTurnier2023)
CREATE (naomiSigrist)-[:COMPETED_IN {place: 7, points: 14}]->(gallusTurnier2023)
CREATE (oliviaBongard)-[:COMPETED_IN {place: 8, points: 14}]->(gallusTurnier2023)
CREATE (anaisVuilleumier)-[:COMPETED_IN {place: 9, points: 8}]->(gallusTurnier2023)
CREATE (carlaCattaneo)-[:COMPETED_IN {place: 1, points: 32}]->(baslerGildenpreis2020)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 2, points: 26}]->(baslerGildenpreis2020)
CREATE (tessaBachofner)-[:COMPETED_IN {place: 3, points: 20}]->(baslerGildenpreis2020)
CREATE (mafaldaKaufmann)-[:COMPETED_IN {place: 3, points: 20}]->(baslerGildenpreis2020)
CREATE (fabienneGygax)-[:COMPETED_IN {place: 5, points: 14}]->(baslerGildenpreis2020)
CREATE (romaneHefti)-[:COMPETED_IN {place: 6, points: 14}]->(baslerGildenpreis2020)
CREATE (janaGenoud)-[:COMPETED_IN {place: 7, points: 14}]->(baslerGildenpreis2020)
CREATE (sarinaBaumgartner)-[:COMPETED_IN {place: 8, points: 14}]->(baslerGildenpreis2020)
CREATE (fabienneGygax)-[:COMPETED_IN {place: 1, points: 32}]->(baslerGildenpreis2021)
CREATE (romaneHefti)-[:COMPETED_IN {place: 2, points: 26}]->(baslerGildenpreis2021)
CREATE (ilariaMuhlemann)-[:COMPETED_IN {place: 3, points: 20}]->(baslerGildenpreis2021)
CREATE (elisaRohner)-[:COMPETED_IN {place: 3, points: 20}]->(baslerGildenpreis2021)
CREATE (noemieSulzer)-[:COMPETED_IN {place: 5, points: 14}]->(baslerGildenpreis2021)
CREATE (janaGenoud)-[:COMPETED_IN {place: 6, points: 14}]->(baslerGildenpreis2021)
CREATE (carlaCattaneo)-[:COMPETED_IN {place: 7, points: 14}]->(baslerGildenpreis2021)
CREATE (paulineDelaloye)-[:COMPETED_IN {place: 8, points: 14}]->(baslerGildenpreis2021)
CREATE (tessaBachofner)-[:COMPETED_IN {place: 9, points: 8}]->(baslerGildenpreis2021)
CREATE (xeniaBrunner)-[:COMPETED_IN {place: 10, points: 8}]->(baslerGildenpreis2021)
CREATE (sarinaBaumgartner)-[:COMPETED_IN {place: 1, points: 32}]->(baslerGildenpreis2023)
CREATE (noemieSulzer)-[:COMPETED_IN {place: 2, points: 26}]->(baslerGildenpreis2023)
CREATE (ilariaMuhlemann)-[:COMPETED_IN {place: 3, points: 20}]->(baslerGildenpreis2023)
CREATE (tessaBachofner)-[:COMPETED_IN {place: 3, points: 20}]->(baslerGildenpreis2023)
CREATE (romaneHefti)-[:COMPETED_IN {place: 5, points: 14}]->(baslerGildenpreis2023)
CREATE (xeniaBrunner)-[:COMPETED_IN {place: 6, points: 14}]->(baslerGildenpreis2023)
CREATE (carlaCattaneo)-[:COMPETED_IN {place: 7, points: 14}]->(baslerGildenpreis2023)
CREATE (elinBurkhalter)-[:COMPETED_IN {place: 8, points: 14}]->(baslerGildenpreis2023)
CREATE (fabienneGygax)-[:COMPETED_IN {place: 9, points: 8}]->(baslerGildenpreis2023)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 10, points: 8}]->(baslerGildenpreis2023)
CREATE (elisaRohner)-[:COMPETED_IN {place: 11, points: 8}]->(baslerGildenpreis2023)
CREATE (manonTanner)-[:COMPETED_IN {place: 12, points: 8}]->(baslerGildenpreis2023)
CREATE (retoMonnard)-[:COMPETED_IN {place: 1, points: 32}]->(tournoiDesTroisLacs2020)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 2, points: 26}]->(tournoiDesTroisLacs2020)
CREATE (adrianInabnit)-[:COMPETED_IN {place: 3, points: 20}]->(tournoiDesTroisLacs2020)
CREATE (damianZaugg)-[:COMPETED_IN {place: 3, points: 20}]->(tournoiDesTroisLacs2020)
CREATE (valentinJaquet)-[:COMPETED_IN {place: 5, points: 14}]->(tournoiDesTroisLacs2020)
CREATE (julienLombardi)-[:COMPETED_IN {place: 6, points: 14}]->(tournoiDesTroisLacs2020)
CREATE (timGrob)-[:COMPETED_IN {place: 7, points: 14}]->(tournoiDesTroisLacs2020)
CREATE (gianGasser)-[:COMPETED_IN {place: 8, points: 14}]->(tournoiDesTroisLacs2020)
CREATE (valentinJaquet)-[:COMPETED_IN {place: 1, points: 32}]->(tournoiDesTroisLacs2021)
CREATE (emilGiroud)-[:COMPETED_IN {place: 2, points: 26}]->(tournoiDesTroisLacs2021)
CREATE (cedricDarbellay)-[:COMPETED_IN {place: 3, points: 20}]->(tournoiDesTroisLacs2021)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 3, points: 20}]->(tournoiDesTroisLacs2021)
CREATE (leandroLeuenberger)-[:COMPETED_IN {place: 5, points: 14}]->(tournoiDesTroisLacs2021)
CREATE (timGrob)-[:COMPETED_IN {place: 6, points: 14}]->(tournoiDesTroisLacs2021)
CREATE (adrianInabnit)-[:COMPETED_IN {place: 7, points: 14}]->(tournoiDesTroisLacs2021)
CREATE (gianGasser)-[:COMPETED_IN {place: 8, points: 14}]->(tournoiDesTroisLacs2021)
CREATE (emilGiroud)-[:COMPETED_IN {place: 1, points: 32}]->(tournoiDesTroisLacs2023)
CREATE (adrianInabnit)-[:COMPETED_IN {place: 2, points: 26}]->(tournoiDesTroisLacs2023)
CREATE (valentinJaquet)-[:COMPETED_IN {place: 3, points: 20}]->(tournoiDesTroisLacs2023)
CREATE (cyrilQuadri)-[:COMPETED_IN {place: 3, points: 20}]->(tournoiDesTroisLacs2023)
CREATE (gianGasser)-[:COMPETED_IN {place: 5, points: 14}]->(tournoiDesTroisLacs2023)
CREATE (silvanPfenninger)-[:COMPETED_IN {place: 6, points: 14}]->(tournoiDesTroisLacs2023)
CREATE (leandroLeuenberger)-[:COMPETED_IN {place: 7, points: 14}]->(tournoiDesTroisLacs2023)
CREATE (timGrob)-[:COMPETED_IN {place: 8, points: 14}]->(tournoiDesTroisLacs2023)
CREATE (retoMonnard)-[:COMPETED_IN {place: 9, points: 8}]->(tournoiDesTroisLacs2023)
CREATE (mathieuKohli)-[:COMPETED_IN {place: 10, points: 8}]->(tournoiDesTroisLacs2023)
CREATE (cedricDarbellay)-[:COMPETED_IN {place: 11, points: 8}]->(tournoiDesTroisLacs2023)
CREATE (damianZaugg)-[:COMPETED_IN {place: 12, points: 8}]->(tournoiDesTroisLacs2023)
CREATE (julienLombardi)-[:COMPETED_IN {place: 13, points: 8}]->(tournoiDesTroisLacs2023)
CREATE (oliviaBongard)-[:COMPETED_IN {place: 1, points: 32}]->(luzernerFasnachtsturnier2021)
CREATE (elinBurkhalter)-[:COMPETED_IN {place: 2, points: 26}]->(luzernerFasnachtsturnier2021)
CREATE (valentinaFluckiger)-[:COMPETED_IN {place: 3, points: 20}]->(luzernerFasnachtsturnier2021)
CREATE (flaviaHuguenin)-[:COMPETED_IN {place: 3, points: 20}]->(luzernerFasnachtsturnier2021)
CREATE (zoeAmmann)-[:COMPETED_IN {place: 5, points: 14}]->(luzernerFasnachtsturnier2021)
CREATE (alinaRossier)-[:COMPETED_IN {place: 6, points: 14}]->(luzernerFasnachtsturnier2021)
CREATE (ninaRochat)-[:COMPETED_IN {place: 7, points: 14}]->(luzernerFasnachtsturnier2021)
CREATE (leonieKunzle)-[:COMPETED_IN {place: 8, points: 14}]->(luzernerFasnachtsturnier2021)
CREATE (laureNyffeler)-[:COMPETED_IN {place: 1, points: 32}]->(luzernerFasnachtsturnier2023)
CREATE (anaisVuilleumier)-[:COMPETED_IN {place: 2, points: 26}]->(luzernerFasnachtsturnier2023)
CREATE (leonieKunzle)-[:COMPETED_IN {place: 3, points: 20}]->(luzernerFasnachtsturnier2023)
CREATE (chiaraWuthrich)-[:COMPETED_IN {place: 3, points: 20}]->(luzernerFasnachtsturnier2023)
CREATE (ladinaRegazzoni)-[:COMPETED_IN {place: 5, points: 14}]->(luzernerFasnachtsturnier2023)
CREATE (ninaRochat)-[:COMPETED_IN {place: 6, points: 14}]->(luzernerFasnachtsturnier2023)
CREATE (miaBerset)-[:COMPETED_IN {place: 7, points: 14}]->(luzernerFasnachtsturnier2023)
CREATE (giuliaRickenbacher)-[:COMPETED_IN {place: 8, points: 14}]->(luzernerFasnachtsturnier2023)
CREATE (romaneHefti)-[:COMPETED_IN {place: 9, points: 8}]->(luzernerFasnachtsturnier2023)
CREATE (oliviaBongard)-[:COMPETED_IN {place: 10, points: 8}]->(luzernerFasnachtsturnier2023)
CREATE (flaviaHuguenin)-[:COMPETED_IN {place: 11, points: 8}]->(luzernerFasnachtsturnier2023)

// ---- direct elimination bouts
CREATE (giuliaRickenbacher)-[:DEFEATED {date: date('2020-02-16'), score: '15-6', round: 'final'}]->(alinaRossier)
CREATE (giuliaRickenbacher)-[:DEFEATED {date: date('2020-02-16'), score: '15-14', round: 'semi-final'}]->(yaraQuadri)
CREATE (alinaRossier)-[:DEFEATED {date: date('2020-02-16'), score: '15-11', round: 'semi-final'}]->(anaisVuilleumier)
CREATE (giuliaRickenbacher)-[:DEFEATED {date: date('2020-02-15'), score: '15-6', round: 'quarter-final'}]->(elinBurkhalter)
CREATE (alinaRossier)-[:DEFEATED {date: date('2020-02-16'), score: '15-6', round: 'quarter-final'}]->(flaviaHuguenin)
CREATE (yaraQuadri)-[:DEFEATED {date: date('2020-02-14'), score: '15-11', round: 'quarter-final'}]->(chiaraWuthrich)
CREATE (anaisVuilleumier)-[:DEFEATED {date: date('2020-02-16'), score: '15-14', round: 'quarter-final'}]->(oliviaBongard)
CREATE (oliviaBongard)-[:DEFEATED {date: date('2023-02-19'), score: '15-12', round: 'final'}]->(ladinaRegazzoni)
CREATE (oliviaBongard)-[:DEFEATED {date: date('2023-02-19'), score: '15-8', round: 'semi-final'}]->(jessicaPedrazzini)
CREATE (ladinaRegazzoni)-[:DEFEATED {date: date('2023-02-19'), score: '15-14', round: 'semi-final'}]->(chiaraWuthrich)
CREATE (oliviaBongard)-[:DEFEATED {date: date('2023-02-19'), score: '15-7', round: 'quarter-final'}]->(alinaRossier)
CREATE (ladinaRegazzoni)-[:DEFEATED {date: date('2023-02-18'), score: '15-12', round: 'quarter-final'}]->(giuliaRickenbacher)
CREATE (jessicaPedrazzini)-[:DEFEATED {date: date('2023-02-18'), score: '15-12', round: 'quarter-final'}]->(miaBerset)
CREATE (chiaraWuthrich)-[:DEFEATED {date: date('2023-02-19'), score: '15-14', round: 'quarter-final'}]->(anaisVuilleumier)
CREATE (alinaRossier)-[:DEFEATED {date: date('2024-02-04'), score: '15-14', round: 'final'}]->(miaBerset)
CREATE (alinaRossier)-[:DEFEATED {date: date('2024-02-04'), score: '15-10', round: 'semi-final'}]->(yaraQuadri)
CREATE (miaBerset)-[:DEFEATED {date: date('2024-02-04'), score: '15-9', round: 'semi-final'}]->(elinBurkhalter)
CREATE (alinaRossier)-[:DEFEATED {date: date('2024-02-04'), score: '15-9', round: 'quarter-final'}]->(chiaraWuthrich)
CREATE (miaBerset)-[:DEFEATED {date: date('2024-02-04'), score: '15-8', round: 'quarter-final'}]->(naomiSigrist)
CREATE (yaraQuadri)-[:DEFEATED {date: date('2024-02-04'), score: '15-9', round: 'quarter-final'}]->(zoeAmmann)
CREATE (elinBurkhalter)-[:DEFEATED {date: date('2024-02-04'), score: '15-4', round: 'quarter-final'}]->(romaneHefti)
CREATE (damianZaugg)-[:DEFEATED {date: date('2020-03-13'), score: '15-4', round: 'final'}]->(silvanPfenninger)
CREATE (damianZaugg)-[:DEFEATED {date: date('2020-03-13'), score: '15-11', round: 'semi-final'}]->(valentinJaquet)
CREATE (silvanPfenninger)-[:DEFEATED {date: date('2020-03-13'), score: '15-10', round: 'semi-final'}]->(timGrob)
CREATE (damianZaugg)-[:DEFEATED {date: date('2020-03-12'), score: '15-8', round: 'quarter-final'}]->(retoMonnard)
CREATE (silvanPfenninger)-[:DEFEATED {date: date('2020-03-13'), score: '15-10', round: 'quarter-final'}]->(julienLombardi)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2020-03-11'), score: '15-12', round: 'quarter-final'}]->(adrianInabnit)
CREATE (timGrob)-[:DEFEATED {date: date('2020-03-13'), score: '15-14', round: 'quarter-final'}]->(cyrilQuadri)
CREATE (cedricDarbellay)-[:DEFEATED {date: date('2022-03-12'), score: '15-14', round: 'final'}]->(damianZaugg)
CREATE (cedricDarbellay)-[:DEFEATED {date: date('2022-03-12'), score: '15-13', round: 'semi-final'}]->(julienLombardi)
CREATE (damianZaugg)-[:DEFEATED {date: date('2022-03-12'), score: '15-9', round: 'semi-final'}]->(valentinJaquet)
CREATE (cedricDarbellay)-[:DEFEATED {date: date('2022-03-11'), score: '15-6', round: 'quarter-final'}]->(emilGiroud)
CREATE (damianZaugg)-[:DEFEATED {date: date('2022-03-11'), score: '15-9', round: 'quarter-final'}]->(adrianInabnit)
CREATE (julienLombardi)-[:DEFEATED {date: date('2022-03-12'), score: '15-4', round: 'quarter-final'}]->(mathieuKohli)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2022-03-12'), score: '15-7', round: 'quarter-final'}]->(silvanPfenninger)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2024-03-12'), score: '15-9', round: 'final'}]->(julienLombardi)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2024-03-12'), score: '15-14', round: 'semi-final'}]->(mathieuKohli)
CREATE (julienLombardi)-[:DEFEATED {date: date('2024-03-12'), score: '15-8', round: 'semi-final'}]->(retoMonnard)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2024-03-12'), score: '15-14', round: 'quarter-final'}]->(silvanPfenninger)
CREATE (julienLombardi)-[:DEFEATED {date: date('2024-03-11'), score: '15-8', round: 'quarter-final'}]->(leandroLeuenberger)
CREATE (mathieuKohli)-[:DEFEATED {date: date('2024-03-12'), score: '15-6', round: 'quarter-final'}]->(damianZaugg)
CREATE (retoMonnard)-[:DEFEATED {date: date('2024-03-10'), score: '15-10', round: 'quarter-final'}]->(cedricDarbellay)
CREATE (theoEgli)-[:DEFEATED {date: date('2021-09-20'), score: '15-7', round: 'final'}]->(joelJegerlehner)
CREATE (theoEgli)-[:DEFEATED {date: date('2021-09-20'), score: '15-7', round: 'semi-final'}]->(florianHenchoz)
CREATE (joelJegerlehner)-[:DEFEATED {date: date('2021-09-20'), score: '15-11', round: 'semi-final'}]->(benoitDubach)
CREATE (theoEgli)-[:DEFEATED {date: date('2021-09-20'), score: '15-6', round: 'quarter-final'}]->(maximeCorminboeuf)
CREATE (joelJegerlehner)-[:DEFEATED {date: date('2021-09-20'), score: '15-9', round: 'quarter-final'}]->(gregoryFavrod)
CREATE (florianHenchoz)-[:DEFEATED {date: date('2021-09-20'), score: '15-9', round: 'quarter-final'}]->(cyrilQuadri)
CREATE (benoitDubach)-[:DEFEATED {date: date('2021-09-20'), score: '15-12', round: 'quarter-final'}]->(lorenzoJoller)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2023-09-24'), score: '15-4', round: 'final'}]->(yannickZbinden)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2023-09-24'), score: '15-7', round: 'semi-final'}]->(lorenzoJoller)
CREATE (yannickZbinden)-[:DEFEATED {date: date('2023-09-24'), score: '15-11', round: 'semi-final'}]->(maximeCorminboeuf)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2023-09-23'), score: '15-8', round: 'quarter-final'}]->(benoitDubach)
CREATE (yannickZbinden)-[:DEFEATED {date: date('2023-09-24'), score: '15-12', round: 'quarter-final'}]->(janOberholzer)
CREATE (lorenzoJoller)-[:DEFEATED {date: date('2023-09-24'), score: '15-6', round: 'quarter-final'}]->(fabioPiguet)
CREATE (maximeCorminboeuf)-[:DEFEATED {date: date('2023-09-23'), score: '15-8', round: 'quarter-final'}]->(tobiasEmery)
CREATE (leaNaef)-[:DEFEATED {date: date('2020-05-09'), score: '15-10', round: 'final'}]->(maraHofstetter)
CREATE (leaNaef)-[:DEFEATED {date: date('2020-05-09'), score: '15-8', round: 'semi-final'}]->(selinaAebischer)
CREATE (maraHofstetter)-[:DEFEATED {date: date('2020-05-09'), score: '15-7', round: 'semi-final'}]->(aurelieBlanchard)
CREATE (leaNaef)-[:DEFEATED {date: date('2020-05-09'), score: '15-13', round: 'quarter-final'}]->(liviaRuegg)
CREATE (maraHofstetter)-[:DEFEATED {date: date('2020-05-09'), score: '15-8', round: 'quarter-final'}]->(joelleHasler)
CREATE (selinaAebischer)-[:DEFEATED {date: date('2020-05-08'), score: '15-9', round: 'quarter-final'}]->(tabeaGalli)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2020-05-08'), score: '15-11', round: 'quarter-final'}]->(sofieMauron)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2022-05-05'), score: '15-6', round: 'final'}]->(veraKnecht)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2022-05-05'), score: '15-7', round: 'semi-final'}]->(maraFavrod)
CREATE (veraKnecht)-[:DEFEATED {date: date('2022-05-05'), score: '15-14', round: 'semi-final'}]->(selinaAebischer)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2022-05-03'), score: '15-11', round: 'quarter-final'}]->(ramonaCrivelli)
CREATE (veraKnecht)-[:DEFEATED {date: date('2022-05-05'), score: '15-4', round: 'quarter-final'}]->(tabeaGalli)
CREATE (maraFavrod)-[:DEFEATED {date: date('2022-05-03'), score: '15-10', round: 'quarter-final'}]->(joelleBrunner)
CREATE (selinaAebischer)-[:DEFEATED {date: date('2022-05-03'), score: '15-14', round: 'quarter-final'}]->(delphineWenger)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2024-05-03'), score: '15-10', round: 'final'}]->(maraFavrod)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2024-05-03'), score: '15-13', round: 'semi-final'}]->(veraKnecht)
CREATE (maraFavrod)-[:DEFEATED {date: date('2024-05-03'), score: '15-11', round: 'semi-final'}]->(liviaRuegg)
CREATE (aurelieBlanchard)-[:DEFEATED {date: date('2024-05-03'), score: '15-6', round: 'quarter-final'}]->(melanieZurbriggen)
CREATE (maraFavrod)-[:DEFEATED {date: date('2024-05-03'), score: '15-12', round: 'quarter-final'}]->(leaNaef)
CREATE (veraKnecht)-[:DEFEATED {date: date('2024-05-03'), score: '15-13', round: 'quarter-final'}]->(mafaldaKaufmann)
CREATE (liviaRuegg)-[:DEFEATED {date: date('2024-05-03'), score: '15-10', round: 'quarter-final'}]->(joelleHasler)
CREATE (nandoMaillard)-[:DEFEATED {date: date('2021-12-18'), score: '15-14', round: 'final'}]->(olivierTschanz)
CREATE (nandoMaillard)-[:DEFEATED {date: date('2021-12-18'), score: '15-9', round: 'semi-final'}]->(jonasMoret)
CREATE (olivierTschanz)-[:DEFEATED {date: date('2021-12-18'), score: '15-13', round: 'semi-final'}]->(nicolaGerber)
CREATE (nandoMaillard)-[:DEFEATED {date: date('2021-12-18'), score: '15-4', round: 'quarter-final'}]->(joelJegerlehner)
CREATE (olivierTschanz)-[:DEFEATED {date: date('2021-12-17'), score: '15-14', round: 'quarter-final'}]->(sandroClerc)
CREATE (jonasMoret)-[:DEFEATED {date: date('2021-12-17'), score: '15-11', round: 'quarter-final'}]->(darioFankhauser)
CREATE (nicolaGerber)-[:DEFEATED {date: date('2021-12-18'), score: '15-7', round: 'quarter-final'}]->(alessioChappuis)
CREATE (gregoryFavrod)-[:DEFEATED {date: date('2022-12-16'), score: '15-6', round: 'final'}]->(fabioPiguet)
CREATE (gregoryFavrod)-[:DEFEATED {date: date('2022-12-16'), score: '15-7', round: 'semi-final'}]->(kilianFerrari)
CREATE (fabioPiguet)-[:DEFEATED {date: date('2022-12-16'), score: '15-14', round: 'semi-final'}]->(olivierTschanz)
CREATE (gregoryFavrod)-[:DEFEATED {date: date('2022-12-15'), score: '15-14', round: 'quarter-final'}]->(yvesBernasconi)
CREATE (fabioPiguet)-[:DEFEATED {date: date('2022-12-15'), score: '15-14', round: 'quarter-final'}]->(nicolaGerber)
CREATE (kilianFerrari)-[:DEFEATED {date: date('2022-12-16'), score: '15-9', round: 'quarter-final'}]->(sandroClerc)
CREATE (olivierTschanz)-[:DEFEATED {date: date('2022-12-16'), score: '15-14', round: 'quarter-final'}]->(loicSporri)
CREATE (pascalMeister)-[:DEFEATED {date: date('2023-12-20'), score: '15-14', round: 'final'}]->(tobiasEmery)
CREATE (pascalMeister)-[:DEFEATED {date: date('2023-12-20'), score: '15-12', round: 'semi-final'}]->(jonasMoret)
CREATE (tobiasEmery)-[:DEFEATED {date: date('2023-12-20'), score: '15-14', round: 'semi-final'}]->(gregoryFavrod)
CREATE (pascalMeister)-[:DEFEATED {date: date('2023-12-19'), score: '15-4', round: 'quarter-final'}]->(theoEgli)
CREATE (tobiasEmery)-[:DEFEATED {date: date('2023-12-19'), score: '15-4', round: 'quarter-final'}]->(darioFankhauser)
CREATE (jonasMoret)-[:DEFEATED {date: date('2023-12-19'), score: '15-13', round: 'quarter-final'}]->(olivierTschanz)
CREATE (gregoryFavrod)-[:DEFEATED {date: date('2023-12-20'), score: '15-9', round: 'quarter-final'}]->(fabioPiguet)
CREATE (larsRappaz)-[:DEFEATED {date: date('2020-10-26'), score: '15-13', round: 'final'}]->(quentinGrandjean)
CREATE (larsRappaz)-[:DEFEATED {date: date('2020-10-26'), score: '15-10', round: 'semi-final'}]->(nilsBugnon)
CREATE (quentinGrandjean)-[:DEFEATED {date: date('2020-10-26'), score: '15-12', round: 'semi-final'}]->(noahMarti)
CREATE (larsRappaz)-[:DEFEATED {date: date('2020-10-26'), score: '15-8', round: 'quarter-final'}]->(yannickZbinden)
CREATE (quentinGrandjean)-[:DEFEATED {date: date('2020-10-24'), score: '15-4', round: 'quarter-final'}]->(gianGasser)
CREATE (nilsBugnon)-[:DEFEATED {date: date('2020-10-25'), score: '15-6', round: 'quarter-final'}]->(lucaSchnyder)
CREATE (noahMarti)-[:DEFEATED {date: date('2020-10-25'), score: '15-13', round: 'quarter-final'}]->(bastienGiroud)
CREATE (larsRappaz)-[:DEFEATED {date: date('2022-10-18'), score: '15-6', round: 'final'}]->(nilsBugnon)
CREATE (larsRappaz)-[:DEFEATED {date: date('2022-10-18'), score: '15-10', round: 'semi-final'}]->(quentinGrandjean)
CREATE (nilsBugnon)-[:DEFEATED {date: date('2022-10-18'), score: '15-10', round: 'semi-final'}]->(noahMarti)
CREATE (larsRappaz)-[:DEFEATED {date: date('2022-10-17'), score: '15-13', round: 'quarter-final'}]->(bastienGiroud)
CREATE (nilsBugnon)-[:DEFEATED {date: date('2022-10-18'), score: '15-4', round: 'quarter-final'}]->(gianGasser)
CREATE (quentinGrandjean)-[:DEFEATED {date: date('2022-10-17'), score: '15-8', round: 'quarter-final'}]->(samuelSavary)
CREATE (noahMarti)-[:DEFEATED {date: date('2022-10-17'), score: '15-6', round: 'quarter-final'}]->(jeromeGuidotti)
CREATE (laureNyffeler)-[:DEFEATED {date: date('2020-11-15'), score: '15-9', round: 'final'}]->(miaBerset)
CREATE (laureNyffeler)-[:DEFEATED {date: date('2020-11-15'), score: '15-7', round: 'semi-final'}]->(yaraQuadri)
CREATE (miaBerset)-[:DEFEATED {date: date('2020-11-15'), score: '15-9', round: 'semi-final'}]->(zoeAmmann)
CREATE (laureNyffeler)-[:DEFEATED {date: date('2020-11-15'), score: '15-6', round: 'quarter-final'}]->(giuliaRickenbacher)
CREATE (miaBerset)-[:DEFEATED {date: date('2020-11-15'), score: '15-14', round: 'quarter-final'}]->(ladinaRegazzoni)
CREATE (yaraQuadri)-[:DEFEATED {date: date('2020-11-15'), score: '15-14', round: 'quarter-final'}]->(alinaRossier)
CREATE (zoeAmmann)-[:DEFEATED {date: date('2020-11-15'), score: '15-7', round: 'quarter-final'}]->(naomiSigrist)
CREATE (salomeBieri)-[:DEFEATED {date: date('2021-11-20'), score: '15-4', round: 'final'}]->(ladinaRegazzoni)
CREATE (salomeBieri)-[:DEFEATED {date: date('2021-11-20'), score: '15-9', round: 'semi-final'}]->(jessicaPedrazzini)
CREATE (ladinaRegazzoni)-[:DEFEATED {date: date('2021-11-20'), score: '15-14', round: 'semi-final'}]->(celinePerrenoud)
CREATE (salomeBieri)-[:DEFEATED {date: date('2021-11-20'), score: '15-12', round: 'quarter-final'}]->(leonieKunzle)
CREATE (ladinaRegazzoni)-[:DEFEATED {date: date('2021-11-19'), score: '15-8', round: 'quarter-final'}]->(anaisVuilleumier)
CREATE (jessicaPedrazzini)-[:DEFEATED {date: date('2021-11-19'), score: '15-8', round: 'quarter-final'}]->(alinaRossier)
CREATE (celinePerrenoud)-[:DEFEATED {date: date('2021-11-20'), score: '15-13', round: 'quarter-final'}]->(chiaraWuthrich)
CREATE (giuliaRickenbacher)-[:DEFEATED {date: date('2023-11-23'), score: '15-8', round: 'final'}]->(ladinaRegazzoni)
CREATE (giuliaRickenbacher)-[:DEFEATED {date: date('2023-11-23'), score: '15-12', round: 'semi-final'}]->(ninaRochat)
CREATE (ladinaRegazzoni)-[:DEFEATED {date: date('2023-11-23'), score: '15-10', round: 'semi-final'}]->(zoeAmmann)
CREATE (giuliaRickenbacher)-[:DEFEATED {date: date('2023-11-22'), score: '15-9', round: 'quarter-final'}]->(laureNyffeler)
CREATE (ladinaRegazzoni)-[:DEFEATED {date: date('2023-11-22'), score: '15-12', round: 'quarter-final'}]->(leonieKunzle)
CREATE (ninaRochat)-[:DEFEATED {date: date('2023-11-23'), score: '15-8', round: 'quarter-final'}]->(naomiSigrist)
CREATE (zoeAmmann)-[:DEFEATED {date: date('2023-11-22'), score: '15-11', round: 'quarter-final'}]->(oliviaBongard)
CREATE (carlaCattaneo)-[:DEFEATED {date: date('2020-04-20'), score: '15-7', round: 'final'}]->(chiaraWuthrich)
CREATE (carlaCattaneo)-[:DEFEATED {date: date('2020-04-20'), score: '15-9', round: 'semi-final'}]->(tessaBachofner)
CREATE (chiaraWuthrich)-[:DEFEATED {date: date('2020-04-20'), score: '15-10', round: 'semi-final'}]->(mafaldaKaufmann)
CREATE (carlaCattaneo)-[:DEFEATED {date: date('2020-04-19'), score: '15-14', round: 'quarter-final'}]->(fabienneGygax)
CREATE (chiaraWuthrich)-[:DEFEATED {date: date('2020-04-19'), score: '15-4', round: 'quarter-final'}]->(romaneHefti)
CREATE (tessaBachofner)-[:DEFEATED {date: date('2020-04-18'), score: '15-12', round: 'quarter-final'}]->(janaGenoud)
CREATE (mafaldaKaufmann)-[:DEFEATED {date: date('2020-04-20'), score: '15-10', round: 'quarter-final'}]->(sarinaBaumgartner)
CREATE (fabienneGygax)-[:DEFEATED {date: date('2021-04-06'), score: '15-7', round: 'final'}]->(romaneHefti)
CREATE (fabienneGygax)-[:DEFEATED {date: date('2021-04-06'), score: '15-9', round: 'semi-final'}]->(ilariaMuhlemann)
CREATE (romaneHefti)-[:DEFEATED {date: date('2021-04-06'), score: '15-8', round: 'semi-final'}]->(elisaRohner)
CREATE (fabienneGygax)-[:DEFEATED {date: date('2021-04-06'), score: '15-7', round: 'quarter-final'}]->(noemieSulzer)
CREATE (romaneHefti)-[:DEFEATED {date: date('2021-04-06'), score: '15-7', round: 'quarter-final'}]->(janaGenoud)
CREATE (ilariaMuhlemann)-[:DEFEATED {date: date('2021-04-06'), score: '15-10', round: 'quarter-final'}]->(carlaCattaneo)
CREATE (elisaRohner)-[:DEFEATED {date: date('2021-04-06'), score: '15-13', round: 'quarter-final'}]->(paulineDelaloye)
CREATE (sarinaBaumgartner)-[:DEFEATED {date: date('2023-04-15'), score: '15-11', round: 'final'}]->(noemieSulzer)
CREATE (sarinaBaumgartner)-[:DEFEATED {date: date('2023-04-15'), score: '15-11', round: 'semi-final'}]->(ilariaMuhlemann)
CREATE (noemieSulzer)-[:DEFEATED {date: date('2023-04-15'), score: '15-13', round: 'semi-final'}]->(tessaBachofner)
CREATE (sarinaBaumgartner)-[:DEFEATED {date: date('2023-04-15'), score: '15-4', round: 'quarter-final'}]->(romaneHefti)
CREATE (noemieSulzer)-[:DEFEATED {date: date('2023-04-14'), score: '15-12', round: 'quarter-final'}]->(xeniaBrunner)
CREATE (ilariaMuhlemann)-[:DEFEATED {date: date('2023-04-15'), score: '15-14', round: 'quarter-final'}]->(carlaCattaneo)
CREATE (tessaBachofner)-[:DEFEATED {date: date('2023-04-14'), score: '15-14', round: 'quarter-final'}]->(elinBurkhalter)
CREATE (retoMonnard)-[:DEFEATED {date: date('2020-06-27'), score: '15-4', round: 'final'}]->(cyrilQuadri)
CREATE (retoMonnard)-[:DEFEATED {date: date('2020-06-27'), score: '15-13', round: 'semi-final'}]->(adrianInabnit)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2020-06-27'), score: '15-12', round: 'semi-final'}]->(damianZaugg)
CREATE (retoMonnard)-[:DEFEATED {date: date('2020-06-27'), score: '15-4', round: 'quarter-final'}]->(valentinJaquet)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2020-06-26'), score: '15-8', round: 'quarter-final'}]->(julienLombardi)
CREATE (adrianInabnit)-[:DEFEATED {date: date('2020-06-26'), score: '15-6', round: 'quarter-final'}]->(timGrob)
CREATE (damianZaugg)-[:DEFEATED {date: date('2020-06-27'), score: '15-9', round: 'quarter-final'}]->(gianGasser)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2021-06-25'), score: '15-7', round: 'final'}]->(emilGiroud)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2021-06-25'), score: '15-14', round: 'semi-final'}]->(cedricDarbellay)
CREATE (emilGiroud)-[:DEFEATED {date: date('2021-06-25'), score: '15-8', round: 'semi-final'}]->(cyrilQuadri)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2021-06-25'), score: '15-10', round: 'quarter-final'}]->(leandroLeuenberger)
CREATE (emilGiroud)-[:DEFEATED {date: date('2021-06-25'), score: '15-13', round: 'quarter-final'}]->(timGrob)
CREATE (cedricDarbellay)-[:DEFEATED {date: date('2021-06-24'), score: '15-11', round: 'quarter-final'}]->(adrianInabnit)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2021-06-24'), score: '15-6', round: 'quarter-final'}]->(gianGasser)
CREATE (emilGiroud)-[:DEFEATED {date: date('2023-06-20'), score: '15-13', round: 'final'}]->(adrianInabnit)
CREATE (emilGiroud)-[:DEFEATED {date: date('2023-06-20'), score: '15-14', round: 'semi-final'}]->(valentinJaquet)
CREATE (adrianInabnit)-[:DEFEATED {date: date('2023-06-20'), score: '15-10', round: 'semi-final'}]->(cyrilQuadri)
CREATE (emilGiroud)-[:DEFEATED {date: date('2023-06-19'), score: '15-10', round: 'quarter-final'}]->(gianGasser)
CREATE (adrianInabnit)-[:DEFEATED {date: date('2023-06-19'), score: '15-11', round: 'quarter-final'}]->(silvanPfenninger)
CREATE (valentinJaquet)-[:DEFEATED {date: date('2023-06-20'), score: '15-10', round: 'quarter-final'}]->(leandroLeuenberger)
CREATE (cyrilQuadri)-[:DEFEATED {date: date('2023-06-18'), score: '15-7', round: 'quarter-final'}]->(timGrob)
CREATE (oliviaBongard)-[:DEFEATED {date: date('2021-01-15'), score: '15-14', round: 'final'}]->(elinBurkhalter)
CREATE (oliviaBongard)-[:DEFEATED {date: date('2021-01-15'), score: '15-14', round: 'semi-final'}]->(valentinaFluckiger)
CREATE (elinBurkhalter)-[:DEFEATED {date: date('2021-01-15'), score: '15-8', round: 'semi-final'}]->(flaviaHuguenin)
CREATE (oliviaBongard)-[:DEFEATED {date: date('2021-01-15'), score: '15-12', round: 'quarter-final'}]->(zoeAmmann)
CREATE (elinBurkhalter)-[:DEFEATED {date: date('2021-01-15'), score: '15-10', round: 'quarter-final'}]->(alinaRossier)
CREATE (valentinaFluckiger)-[:DEFEATED {date: date('2021-01-14'), score: '15-13', round: 'quarter-final'}]->(ninaRochat)
CREATE (flaviaHuguenin)-[:DEFEATED {date: date('2021-01-14'), score: '15-8', round: 'quarter-final'}]->(leonieKunzle)
CREATE (laureNyffeler)-[:DEFEATED {date: date('2023-01-10'), score: '15-14', round: 'final'}]->(anaisVuilleumier)
CREATE (laureNyffeler)-[:DEFEATED {date: date('2023-01-10'), score: '15-12', round: 'semi-final'}]->(leonieKunzle)
CREATE (anaisVuilleumier)-[:DEFEATED {date: date('2023-01-10'), score: '15-8', round: 'semi-final'}]->(chiaraWuthrich)
CREATE (laureNyffeler)-[:DEFEATED {date: date('2023-01-10'), score: '15-12', round: 'quarter-final'}]->(ladinaRegazzoni)
CREATE (anaisVuilleumier)-[:DEFEATED {date: date('2023-01-08'), score: '15-11', round: 'quarter-final'}]->(ninaRochat)
CREATE (leonieKunzle)-[:DEFEATED {date: date('2023-01-10'), score: '15-10', round: 'quarter-final'}]->(miaBerset)
CREATE (chiaraWuthrich)-[:DEFEATED {date: date('2023-01-09'), score: '15-14', round: 'quarter-final'}]->(giuliaRickenbacher)
;

// ---- referee assignments (added later)
MATCH (r:Referee {name: 'Tabea Galli'}), (t:Tournament {name: 'Coupe du Léman 2020'}) MERGE (r)-[:REFEREED {bouts: 20}]->(t);
MATCH (r:Referee {name: 'Thierry Noverraz'}), (t:Tournament {name: 'Coupe du Léman 2020'}) MERGE (r)-[:REFEREED {bouts: 24}]->(t);
MATCH (r:Referee {name: 'Zoé Ammann'}), (t:Tournament {name: 'Coupe du Léman 2020'}) MERGE (r)-[:REFEREED {bouts: 13}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: 'Coupe du Léman 2020'}) MERGE (r)-[:REFEREED {bouts: 15}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Coupe du Léman 2023'}) MERGE (r)-[:REFEREED {bouts: 18}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Coupe du Léman 2023'}) MERGE (r)-[:REFEREED {bouts: 14}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Coupe du Léman 2023'}) MERGE (r)-[:REFEREED {bouts: 18}]->(t);
MATCH (r:Referee {name: 'Hansruedi Stöckli'}), (t:Tournament {name: 'Coupe du Léman 2023'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Coupe du Léman 2024'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: 'Coupe du Léman 2024'}) MERGE (r)-[:REFEREED {bouts: 20}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Coupe du Léman 2024'}) MERGE (r)-[:REFEREED {bouts: 28}]->(t);
MATCH (r:Referee {name: 'Stefan Odermatt'}), (t:Tournament {name: 'Coupe du Léman 2024'}) MERGE (r)-[:REFEREED {bouts: 28}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Limmat Cup 2020'}) MERGE (r)-[:REFEREED {bouts: 11}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Limmat Cup 2020'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Limmat Cup 2020'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Stefan Odermatt'}), (t:Tournament {name: 'Limmat Cup 2020'}) MERGE (r)-[:REFEREED {bouts: 17}]->(t);
MATCH (r:Referee {name: 'Fausto Bianchetti'}), (t:Tournament {name: 'Limmat Cup 2022'}) MERGE (r)-[:REFEREED {bouts: 24}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Limmat Cup 2022'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Zoé Ammann'}), (t:Tournament {name: 'Limmat Cup 2024'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Limmat Cup 2024'}) MERGE (r)-[:REFEREED {bouts: 12}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Limmat Cup 2024'}) MERGE (r)-[:REFEREED {bouts: 20}]->(t);
MATCH (r:Referee {name: 'Madeleine Christinat'}), (t:Tournament {name: 'Zofinger Degenturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 18}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: 'Zofinger Degenturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
MATCH (r:Referee {name: 'Tabea Galli'}), (t:Tournament {name: 'Zofinger Degenturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Zofinger Degenturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 9}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Zofinger Degenturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 24}]->(t);
MATCH (r:Referee {name: 'Stefan Odermatt'}), (t:Tournament {name: 'Zofinger Degenturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 28}]->(t);
MATCH (r:Referee {name: 'Corina Caduff'}), (t:Tournament {name: 'Zofinger Degenturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: 'Trofeo del Ceresio 2020'}) MERGE (r)-[:REFEREED {bouts: 16}]->(t);
MATCH (r:Referee {name: 'Zoé Ammann'}), (t:Tournament {name: 'Trofeo del Ceresio 2020'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Fausto Bianchetti'}), (t:Tournament {name: 'Trofeo del Ceresio 2020'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
MATCH (r:Referee {name: 'Urs Lanz'}), (t:Tournament {name: 'Trofeo del Ceresio 2022'}) MERGE (r)-[:REFEREED {bouts: 4}]->(t);
MATCH (r:Referee {name: 'Corina Caduff'}), (t:Tournament {name: 'Trofeo del Ceresio 2022'}) MERGE (r)-[:REFEREED {bouts: 25}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Trofeo del Ceresio 2022'}) MERGE (r)-[:REFEREED {bouts: 13}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Trofeo del Ceresio 2022'}) MERGE (r)-[:REFEREED {bouts: 19}]->(t);
MATCH (r:Referee {name: 'Thierry Noverraz'}), (t:Tournament {name: 'Trofeo del Ceresio 2024'}) MERGE (r)-[:REFEREED {bouts: 18}]->(t);
MATCH (r:Referee {name: 'Corina Caduff'}), (t:Tournament {name: 'Trofeo del Ceresio 2024'}) MERGE (r)-[:REFEREED {bouts: 8}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: "Challenge de l'Escalade 2021"}) MERGE (r)-[:REFEREED {bouts: 18}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: "Challenge de l'Escalade 2021"}) MERGE (r)-[:REFEREED {bouts: 17}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: "Challenge de l'Escalade 2021"}) MERGE (r)-[:REFEREED {bouts: 12}]->(t);
MATCH (r:Referee {name: 'Hansruedi Stöckli'}), (t:Tournament {name: "Challenge de l'Escalade 2021"}) MERGE (r)-[:REFEREED {bouts: 15}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: "Challenge de l'Escalade 2022"}) MERGE (r)-[:REFEREED {bouts: 12}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: "Challenge de l'Escalade 2022"}) MERGE (r)-[:REFEREED {bouts: 10}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: "Challenge de l'Escalade 2022"}) MERGE (r)-[:REFEREED {bouts: 27}]->(t);
MATCH (r:Referee {name: 'Tabea Galli'}), (t:Tournament {name: "Challenge de l'Escalade 2022"}) MERGE (r)-[:REFEREED {bouts: 24}]->(t);
MATCH (r:Referee {name: 'Stefan Odermatt'}), (t:Tournament {name: "Challenge de l'Escalade 2023"}) MERGE (r)-[:REFEREED {bouts: 8}]->(t);
MATCH (r:Referee {name: 'Fausto Bianchetti'}), (t:Tournament {name: "Challenge de l'Escalade 2023"}) MERGE (r)-[:REFEREED {bouts: 29}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Bärencup 2020'}) MERGE (r)-[:REFEREED {bouts: 12}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: 'Bärencup 2020'}) MERGE (r)-[:REFEREED {bouts: 7}]->(t);
MATCH (r:Referee {name: 'Urs Lanz'}), (t:Tournament {name: 'Bärencup 2020'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Bärencup 2020'}) MERGE (r)-[:REFEREED {bouts: 14}]->(t);
MATCH (r:Referee {name: 'Joëlle Brunner'}), (t:Tournament {name: 'Bärencup 2022'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
MATCH (r:Referee {name: 'Urs Lanz'}), (t:Tournament {name: 'Bärencup 2022'}) MERGE (r)-[:REFEREED {bouts: 20}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Bärencup 2022'}) MERGE (r)-[:REFEREED {bouts: 10}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Gallus-Turnier 2020'}) MERGE (r)-[:REFEREED {bouts: 15}]->(t);
MATCH (r:Referee {name: 'Hansruedi Stöckli'}), (t:Tournament {name: 'Gallus-Turnier 2020'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Gallus-Turnier 2020'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Joëlle Brunner'}), (t:Tournament {name: 'Gallus-Turnier 2020'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Fausto Bianchetti'}), (t:Tournament {name: 'Gallus-Turnier 2021'}) MERGE (r)-[:REFEREED {bouts: 9}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Gallus-Turnier 2021'}) MERGE (r)-[:REFEREED {bouts: 25}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Gallus-Turnier 2021'}) MERGE (r)-[:REFEREED {bouts: 6}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Gallus-Turnier 2021'}) MERGE (r)-[:REFEREED {bouts: 19}]->(t);
MATCH (r:Referee {name: 'Hansruedi Stöckli'}), (t:Tournament {name: 'Gallus-Turnier 2023'}) MERGE (r)-[:REFEREED {bouts: 3}]->(t);
MATCH (r:Referee {name: 'Stefan Odermatt'}), (t:Tournament {name: 'Gallus-Turnier 2023'}) MERGE (r)-[:REFEREED {bouts: 15}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: 'Gallus-Turnier 2023'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: 'Basler Gildenpreis 2020'}) MERGE (r)-[:REFEREED {bouts: 22}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Basler Gildenpreis 2020'}) MERGE (r)-[:REFEREED {bouts: 17}]->(t);
MATCH (r:Referee {name: 'Madeleine Christinat'}), (t:Tournament {name: 'Basler Gildenpreis 2020'}) MERGE (r)-[:REFEREED {bouts: 17}]->(t);
MATCH (r:Referee {name: 'Thierry Noverraz'}), (t:Tournament {name: 'Basler Gildenpreis 2021'}) MERGE (r)-[:REFEREED {bouts: 20}]->(t);
MATCH (r:Referee {name: 'Urs Lanz'}), (t:Tournament {name: 'Basler Gildenpreis 2021'}) MERGE (r)-[:REFEREED {bouts: 4}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Basler Gildenpreis 2021'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Fausto Bianchetti'}), (t:Tournament {name: 'Basler Gildenpreis 2021'}) MERGE (r)-[:REFEREED {bouts: 4}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: 'Basler Gildenpreis 2023'}) MERGE (r)-[:REFEREED {bouts: 5}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Basler Gildenpreis 2023'}) MERGE (r)-[:REFEREED {bouts: 25}]->(t);
MATCH (r:Referee {name: 'Ruth Eichenberger'}), (t:Tournament {name: 'Basler Gildenpreis 2023'}) MERGE (r)-[:REFEREED {bouts: 21}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2020'}) MERGE (r)-[:REFEREED {bouts: 26}]->(t);
MATCH (r:Referee {name: 'Hansruedi Stöckli'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2020'}) MERGE (r)-[:REFEREED {bouts: 24}]->(t);
MATCH (r:Referee {name: 'Madeleine Christinat'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2021'}) MERGE (r)-[:REFEREED {bouts: 18}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2021'}) MERGE (r)-[:REFEREED {bouts: 16}]->(t);
MATCH (r:Referee {name: 'Salome Bieri'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2021'}) MERGE (r)-[:REFEREED {bouts: 14}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2021'}) MERGE (r)-[:REFEREED {bouts: 6}]->(t);
MATCH (r:Referee {name: 'Corina Caduff'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2023'}) MERGE (r)-[:REFEREED {bouts: 28}]->(t);
MATCH (r:Referee {name: 'Jan Oberholzer'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2023'}) MERGE (r)-[:REFEREED {bouts: 22}]->(t);
MATCH (r:Referee {name: 'Jean-Marc Duvoisin'}), (t:Tournament {name: 'Tournoi des Trois Lacs 2023'}) MERGE (r)-[:REFEREED {bouts: 7}]->(t);
MATCH (r:Referee {name: 'Urs Lanz'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 12}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 29}]->(t);
MATCH (r:Referee {name: 'Hansruedi Stöckli'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2021'}) MERGE (r)-[:REFEREED {bouts: 17}]->(t);
MATCH (r:Referee {name: 'Joëlle Brunner'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 3}]->(t);
MATCH (r:Referee {name: 'Daniela Keller'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 14}]->(t);
MATCH (r:Referee {name: 'Béatrice Collaud'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 20}]->(t);
MATCH (r:Referee {name: 'Urs Lanz'}), (t:Tournament {name: 'Luzerner Fasnachtsturnier 2023'}) MERGE (r)-[:REFEREED {bouts: 23}]->(t);
